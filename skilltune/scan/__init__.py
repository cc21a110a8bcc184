"""Many files → one result: facts kept in a spool on disk, copies of a session told apart, counts summed up."""

from skilltune.scan.owners import Copy
from skilltune.scan.scanning import Scan, scan
from skilltune.scan.summary import ScanSummary

__all__ = ["Copy", "Scan", "ScanSummary", "scan"]
