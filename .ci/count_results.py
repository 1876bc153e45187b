"""Counts test results from trx files and prints "N passed, N failed" as the last line.

Counted as failed, one each: a failed test; a test project without results; a test host that died or ran out of time; a
clean-up failure outside of any test; a skipped test that is not on the list of allowed skips; a command that failed
although no result file says why.
"""
import argparse
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree

NAMESPACE = "{http://microsoft.com/schemas/VisualStudio/TeamTest/2010}"
REASON_LINES = 12
REASON_WIDTH = 300


class ResultFile:
    """One trx file: the project it belongs to, its results, and what went wrong outside of them."""

    def __init__(self, path):
        root = ElementTree.parse(path).getroot()
        tests = {test.get("id"): test for test in root.iter(NAMESPACE + "UnitTest")}
        self.path = path
        self.projects = {assembly_of(test) for test in tests.values()}
        results = list(root.iter(NAMESPACE + "UnitTestResult"))
        self.results = [(full_name(result, tests), result.get("outcome")) for result in results]
        # A test's name on the line of a failure carries the arguments of its case; what it printed carries its seed.
        self.failures = [
            result.get("testName") + reason(result)
            for result in results if result.get("outcome") not in ("Passed", "NotExecuted")]
        self.run_errors = run_infos(root, "Error")
        # The runner repeats each failed test as a run error; those are results already.
        self.run_errors = [text for text in self.run_errors if not text.endswith("[FAIL]")]
        outcome = root.find(NAMESPACE + "ResultSummary").get("outcome")
        if outcome != "Completed" and not self.run_errors and not self.of("Failed"):
            self.run_errors = [f"the run ended as {outcome}"]

        # The runner calls a test host that it killed for hanging a crashed one; a warning has the true reason.
        self.run_errors = [
            " ".join([text, *(warning for warning in run_infos(root, "Warning") if "inactivity time" in warning)])
            for text in self.run_errors]

    def of(self, *outcomes):
        return [name for name, outcome in self.results if outcome in outcomes]


def run_infos(root, outcome):
    """What the runner said about the run as a whole."""
    return [
        info.findtext(NAMESPACE + "Text", "").strip()
        for info in root.iter(NAMESPACE + "RunInfo") if info.get("outcome") == outcome]


def reason(result):
    """Why a test failed and what it printed, indented, each cut to the lines that fit into a log."""
    output = result.find(NAMESPACE + "Output")
    if output is None:
        return ""
    texts = [output.findtext(f"{NAMESPACE}ErrorInfo/{NAMESPACE}Message", ""), output.findtext(NAMESPACE + "StdOut", "")]
    lines = [line for text in texts for line in text.strip().splitlines()[:REASON_LINES]]
    return "".join(f"\n    {line[:REASON_WIDTH]}" for line in lines)


def assembly_of(test):
    code_base = test.find(NAMESPACE + "TestMethod").get("codeBase")
    return pathlib.PurePath(code_base.replace("\\", "/")).stem


def full_name(result, tests):
    test = tests.get(result.get("testId"))
    if test is None:
        return result.get("testName")
    method = test.find(NAMESPACE + "TestMethod")
    return f"{method.get('className')}.{method.get('name').split('(')[0]}"


def expected_projects(folder):
    """The test projects that must have results: every project that calls itself one."""
    if folder is None:
        return set()
    projects = pathlib.Path(folder).glob("*/*.csproj")
    return {project.stem for project in projects if "<IsTestProject>true</IsTestProject>" in project.read_text("utf-8")}


def allowed_skips(path):
    lines = [line.strip() for line in pathlib.Path(path).read_text("utf-8").splitlines()]
    entries = [line.split("|", 1) for line in lines if line and not line.startswith("#")]
    unreasoned = [entry[0] for entry in entries if len(entry) < 2 or not entry[1].strip()]
    if unreasoned:
        sys.exit(f"{path}: no reason for {', '.join(unreasoned)}")
    return {entry[0].strip() for entry in entries}


def read(folder):
    """The result files, and a problem for each that cannot be read."""
    files, problems = [], []
    for path in sorted(pathlib.Path(folder).rglob("*.trx")):
        try:
            files.append(ResultFile(path))
        except (ElementTree.ParseError, AttributeError) as failure:
            problems.append(f"unreadable result file {path.name}: {failure}")
    return files, problems


def unfinished(folder):
    """The tests that ran when a host died: the runner leaves a list of the begun tests only then."""
    for path in sorted(pathlib.Path(folder).rglob("Sequence_*.xml")):
        try:
            tests = ElementTree.parse(path).getroot().iter("Test")
            yield from (test.get("Name") for test in tests if test.get("Completed") != "True")
        except ElementTree.ParseError:
            yield f"unreadable list {path.name}"


def count(arguments):
    """The number of passed tests, and one line for each failure."""
    files, problems = read(arguments.results)
    allowed = allowed_skips(arguments.skips)
    passed = 0
    for file in files:
        passed += len(file.of("Passed"))
        problems += [f"failed: {name}" for name in file.failures]
        problems += [f"skipped, but not on the list: {name}" for name in file.of("NotExecuted") if name not in allowed]
        if file.run_errors:
            first_line = re.sub(r"\s+", " ", file.run_errors[0])[:300]
            problems.append(f"outside of any test ({', '.join(sorted(file.projects)) or file.path.name}): {first_line}")
    found = set().union(*(file.projects for file in files if file.results))
    problems += [f"no results from {name}" for name in sorted(expected_projects(arguments.tests) - found)]
    if arguments.exit_code != 0 and not problems:
        problems.append(f"the test command ended with {arguments.exit_code}, though no result says why")
    return passed, problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--results", required=True, help="folder with the trx files")
    parser.add_argument("--skips", required=True, help="list of allowed skips: 'Namespace.Class.Method | reason'")
    parser.add_argument("--tests", help="folder whose test projects must all have results")
    parser.add_argument("--exit-code", type=int, default=0, help="how the test command ended")
    arguments = parser.parse_args()
    passed, problems = count(arguments)
    for problem in problems:
        print(problem)
    for name in unfinished(arguments.results):
        print(f"    running when a test host died: {name}")
    print(f"{passed} passed, {len(problems)} failed", flush=True)
    return 1 if problems or passed == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
