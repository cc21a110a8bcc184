"""Invented complaints in threes: about the same thing, and such that only share a word."""

from typing import Final

AGENT: Final = "I made it as you asked."
"""What the agent said before each."""

TRUE: Final = {
    "totals (csv)": [
        "The totals are wrong again, they count the header row",
        "no, the total at the bottom doesn't match the sum of the rows",
        "total is off by one line, you summed the header too",
    ],
    "commit msg imperative": [
        "the commit message must be in the imperative mood",
        "no, commit messages here are imperative: 'add', not 'added'",
        "wrong tense in the commit, we write imperative",
    ],
    "commit too big": [
        "don't put everything into one commit",
        "no, one commit per change please, split the commit",
        "that commit is too large, two unrelated things in one commit",
    ],
    "commented-out code": [
        "you left commented-out code in there again",
        "remove the dead comments, nobody needs old code as comment",
        "no comments with old code please",
    ],
    "too many comments": [
        "too many comments, the code explains itself",
        "stop adding a comment above every line",
        "the comments just repeat what the code says",
    ],
    "tests not run": [
        "you didn't run the tests before saying it's done",
        "did you even run the tests? two fail",
        "run the test suite first, it's red",
    ],
    "tests mock too much": [
        "don't mock the database in tests",
        "the tests mock everything, they prove nothing",
        "no mocks please, use the real database in the test",
    ],
    "table not wanted": [
        "no tables please, use a list",
        "I said no table, plain text reads better",
        "that table is unreadable on the phone",
    ],
    "csv delimiter": [
        "the delimiter has to be a semicolon, Excel here can't read commas",
        "wrong separator, semicolons not commas",
        "no, semicolon separated please",
    ],
    "docs out of date with code": [
        "the readme still shows the old flags",
        "README is outdated, it names flags that are gone",
        "you forgot to update the readme after renaming the flag",
    ],
    "type hints": [
        "missing type hints on the new function",
        "you forgot the type annotations again",
        "no types on the return value, mypy fails",
    ],
    "error handling": [
        "errors are swallowed, it must raise",
        "you catch every error and return None, don't",
        "no, let the error through instead of hiding it",
    ],
    "title case headings": [
        "headings must be sentence case, not title case",
        "wrong, the heading should be in sentence case",
        "section headings again in Title Case, we use sentence case",
    ],
    "file location": [
        "wrong folder, tests belong in tests/unit",
        "no, put the file in the tests folder not next to the code",
        "the file is in the wrong directory again",
    ],
    "date format": [
        "the dates must be ISO, not American",
        "wrong date format again, use 2026-11-30",
        "date format! day and month are swapped",
    ],
    "version bump": [
        "you forgot to bump the version",
        "the version in pyproject wasn't bumped",
        "version still the old one, bump it",
    ],
    "variable names": [
        "the variable names are too short, spell them out",
        "don't use one-letter variable names",
        "what is x supposed to be? descriptive names please",
    ],
    "emoji": [
        "no emojis!! redo",
        "no, I told you: no emojis",
        "that's wrong, no emojis in the headings please",
    ],
    "license header": [
        "the licence header is missing on the new files",
        "you forgot the licence header",
        "every new file starts with the licence header, add it",
    ],
    "sorting": [
        "sort the rows by date, newest first",
        "wrong order, newest rows first",
        "the rows are not sorted",
    ],
    "currency": [
        "amounts in euros, not dollars",
        "no dollar signs, we bill in euro",
        "still dollars in the invoice",
    ],
    "passive voice": [
        "don't write in the passive",
        "too much passive voice again",
        "passive sentences, rewrite them in active voice",
    ],
    "logging": [
        "use the logger, no print statements",
        "you left print statements in",
        "prints everywhere, use logging",
    ],
    "branch": [
        "you pushed to main, open a branch",
        "never work on main, make a branch first",
        "wrong branch, this went straight to main",
    ],
    "links": [
        "two links are dead",
        "the links in section 2 lead nowhere",
        "broken link again",
    ],
    "screenshots": [
        "the screenshot is missing",
        "add a screenshot to the pull request",
        "no screenshot again in the PR",
    ],
    "timezone": [
        "times must be UTC",
        "wrong timezone, we store UTC",
        "this is local time, it has to be in UTC",
    ],
}

MIXED: Final = {
    "files": [
        "wrong file, I meant the changelog",
        "the file is empty",
        "you deleted a file I needed",
    ],
    "tests": [
        "the test is slow",
        "that test belongs in another folder",
        "test names should be English",
    ],
    "table": [
        "the table has the wrong columns",
        "drop the users table first, then migrate",
        "a table of contents is missing",
    ],
    "commit": [
        "don't commit the lock file",
        "the commit message has a typo",
        "you forgot to sign the commit",
    ],
    "total": [
        "total rubbish, start over",
        "the total is off by 3",
        "in total it's too long",
    ],
    "comment": [
        "the comment on line 3 is rude",
        "no comment about the race condition?",
        "you answered the wrong comment",
    ],
    "version": [
        "wrong version of node",
        "you forgot the version in the footer",
        "old version of the text, use the new one",
    ],
    "time": [
        "second time you did this",
        "the second column is missing",
        "wait a second, wrong branch",
    ],
    "kettle": [
        "the kettle is not plugged in",
        "buy a red kettle",
        "the kettle section should come last",
    ],
    "button": [
        "the button is green, it should be blue",
        "no, delete the second button",
        "button text has a typo",
    ],
    "user": [
        "user ids leak into the log",
        "the user is asked twice",
        "don't create a user for this",
    ],
    "line": [
        "line 40 is too long",
        "there is a blank line missing",
        "wrong line of products",
    ],
    "list": [
        "the list is not sorted",
        "drop the mailing list",
        "no, list the open issues",
    ],
    "name": [
        "my name is spelled wrong",
        "name the branch after the ticket",
        "the name column is empty",
    ],
    "page": [
        "the page is blank",
        "page numbers are missing",
        "no, the landing page",
    ],
    "server": [
        "the server is down again",
        "wrong server, staging please",
        "don't restart the server",
    ],
    "image": [
        "the image is blurry",
        "no, use the docker image",
        "image alt text is missing",
    ],
    "error": [
        "there's still an error in line 4",
        "the error message is rude",
        "you ignored the error page",
    ],
}
