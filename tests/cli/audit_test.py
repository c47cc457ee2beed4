"""cordon audit tail, query, stats: logs written by other hands than the program's."""

import json
import os
import time
import unittest

from audit_log import LogWriter
from audit_support import NASTY, Audit


class NoLog(Audit):

    def test_it_is_said_where_the_log_would_be(self):
        for command in ("tail", "query", "stats"):
            answer = self.audit(command, status=2)
            self.assertEqual(answer.out, b"")
            self.assertIn(f'"{self.log}"', answer.errors)
            self.assertIn("no audit log yet", answer.errors)
            other = self.audit(command, "--audit-log", "other.jsonl", status=2)
            self.assertIn(f'"{self.w}/other.jsonl"', other.errors)
            answer = self.audit(command, "--json", status=2)
            self.assertEqual(answer.json["error"]["code"], "NOT_FOUND")

    def test_nothing_is_made(self):
        before = self.snapshot()
        for command in ("tail", "query", "stats", "verify"):
            self.audit(command, status=2)
        self.assertEqual(self.snapshot(), before)

    def test_no_place_at_all(self):
        answer = self.run_cordon("audit", "tail", HOME=None, XDG_STATE_HOME=None)
        self.assertEqual(answer.status, 2, answer)
        self.assertIn("XDG_STATE_HOME", answer.errors)

    def test_an_empty_log_is_a_log(self):
        self.log.touch()
        self.assertEqual(self.audit("tail").out, b"")
        self.assertEqual(len(self.rows("query")), 1)  # the header
        self.assertEqual(self.rows("stats"), ["0 records, 0 operations, 0 refused"])

    def test_a_log_that_cannot_be_read(self):
        self.log.mkdir()
        for command in ("tail", "query", "stats"):
            self.audit(command, status=3)
        self.log.rmdir()
        os.mkfifo(self.log)
        self.audit("tail", status=3)


class Tail(Audit):

    def test_the_last_records_one_a_line(self):
        self.example()
        rows = self.rows("tail")
        self.assertEqual(len(rows), 10)
        self.assertEqual(rows[5],
                         "2026-11-15T13:42:18Z sandbox.violation denied   read_file  "
                         "../secret             traversal")
        self.assertEqual(rows[3].split()[1:5], ["file.write", "allowed", "write_file", "src/new.cc"])
        self.assertEqual(rows[4].split()[1:5], ["file.write", "done", "write_file", "src/new.cc"])
        self.assertIn("a -> b", rows[8])
        self.assertEqual(self.rows("tail", "-n", "2"), rows[-2:])
        self.assertEqual(self.rows("tail", "-n", "0"), [])

    def test_twenty_by_default(self):
        for _ in range(30):
            self.writer.add("file.read", "x")
        self.assertEqual(len(self.rows("tail")), 20)

    def test_across_files(self):
        for number in (1, 2, 3):
            for i in range(3):
                self.writer.add("file.read", f"{number}-{i}")
            if number != 3:
                self.writer.rotate(number)
        lines = self.audit("tail", "-n", "5", "--json").text.splitlines()
        self.assertEqual([json.loads(line)["path"]["asked"] for line in lines],
                         ["2-1", "2-2", "3-0", "3-1", "3-2"])

    def test_json_is_the_log_itself(self):
        self.example()
        self.assertEqual(self.audit("tail", "--json").out, self.log.read_bytes())

    def test_mistakes(self):
        self.log.touch()
        for arguments in (("tail", "-n", "x"), ("tail", "-n", "-1"), ("tail", "more"), (),
                          ("tial",), ("tail", "-n", "99999999999999999999")):
            self.audit(*arguments, status=2)


class Query(Audit):

    def setUp(self):
        super().setUp()
        self.example()

    def numbers(self, *conditions):
        answer = self.audit("query", "--json", *conditions)
        return [json.loads(line)["seq"] for line in answer.text.splitlines()]

    def test_conditions(self):
        everything = list(range(1, 11))
        for conditions, expected in (
                ((), everything),
                (("--since", "2026-11-15T13:42:20Z"), [8, 9, 10]),
                (("--until", "2026-11-15T13:42:14.123456789Z"), [1, 2]),
                (("--since", "2026-11-15", "--until", "2026-11-15"), everything),
                (("--since", "2026-11-16"), []),
                (("--until", "2026-11-14"), []),
                (("--session", "s2"), [7, 8, 9, 10]),
                (("--event", "file.read"), [3, 7, 10]),
                (("--event", "file."), [3, 4, 5, 7, 9, 10]),
                (("--event", "consent.", "--event", "sandbox.violation"), [6, 8]),
                (("--decision", "denied"), [6, 7]),
                (("--tool", "read_file", "--decision", "allowed"), [3, 8, 10]),
                (("--path", "*.cc"), [3, 4, 5]),
                (("--path", "src/n*"), [4, 5]),
                (("--path", "/w/**"), [3, 4, 5, 7, 9]),
                (("--path", ".env*"), [7]),
                (("--path", "b"), [9]),
                (("--limit", "3"), [8, 9, 10]),
                (("--limit", "0"), []),
                (("--decision", "denied", "--limit", "1"), [7])):
            with self.subTest(conditions=conditions):
                self.assertEqual(self.numbers(*conditions), expected)

    def test_a_span_before_now(self):
        log = self.state / "now.jsonl"
        writer = LogWriter(log, start_ns=time.time_ns() - 3600 * 10**9)
        writer.add("log.opened")
        writer.now = time.time_ns() - 5 * 10**9
        writer.add("session.started")
        self.assertEqual(self.numbers("--audit-log", log, "--since", "10m"), [2])
        self.assertEqual(self.numbers("--audit-log", log, "--since", "2h"), [1, 2])
        self.assertEqual(self.numbers("--audit-log", log, "--until", "10m"), [1])

    def test_the_table_has_a_header_and_fits(self):
        rows = self.rows("query")
        self.assertEqual(len(rows), 11)
        self.assertTrue(rows[0].startswith("TIME "))
        self.writer.add("file.read", "deep/" * 60 + "end", decision="allowed", tool="t" * 40)
        for row in self.rows("query"):
            self.assertLessEqual(len(row), 100)
        self.assertTrue(self.rows("query")[-1].endswith("deep/end"))

    def test_mistakes_name_what_would_be_right(self):
        for arguments, says in ((("--since", "yesterday"), "--since"), (("--until", "10"), "10m"),
                                (("--event", "file.red"), "file.read"),
                                (("--decision", "maybe"), "denied"), (("--path", "[a"), "--path"),
                                (("--limit", "few"), "--limit"), (("--path", ""), "--path")):
            answer = self.audit("query", *arguments, status=2)
            self.assertIn(says, answer.errors)
            self.assertEqual(answer.out, b"")
        self.assertEqual(self.audit("query", "--json", "--since", "x", status=2)
                         .json["error"]["code"], "INVALID_ARGUMENTS")


class Hostile(Audit):

    def test_odd_names_are_shown_escaped(self):
        self.example()
        row = self.rows("tail", "-n", "1")[0]
        self.assertIn(r'a\x1b[2J\r\n\u202e\xff%"\b', row)

    def test_lines_that_are_no_records_are_counted(self):
        self.example()
        good = self.log.read_bytes()
        bad = [b"nonsense", b"", b"\x1b[2J", b"{}", b"\xff\xfe", good.splitlines()[0] + b"\x1b]0;x\x07",
               good.splitlines()[2].replace(b"read_file", b"read\xc2\x9bfile"),
               good.splitlines()[2].replace(b"read_file", b"read\xe2\x80\xaefile"),
               good.splitlines()[2].replace(b'"tool"', b'"tool":"x","tool"'),
               b"x" * (3 << 20), b"\0" * 100]
        self.log.write_bytes(b"\n".join(bad) + b"\n" + good)
        for arguments, count in ((("query",), 11), (("query", "--json"), 10)):
            answer = self.audit(*arguments)
            self.assertEqual(len(answer.text.splitlines()), count)
            self.assertEqual(answer.errors, f"cordon: warning: {len(bad)} lines are not records; "
                                            "run cordon audit verify\n")
        self.assertEqual(self.audit("query", "--json").out, good)
        answer = self.audit("stats", "--json")
        self.assertEqual(answer.json["data"]["damagedLines"], len(bad))
        self.assertEqual(answer.json["data"]["records"], 10)
        answer = self.audit("tail", "-n", "11", "--json")
        self.assertIn("1 line is not a record;", answer.errors)
        self.assertEqual(answer.out, good)

    def test_a_torn_last_line_is_left_alone(self):
        self.example()
        with open(self.log, "ab") as log:
            log.write(b'{"seq":11,"time":"2026')
        answer = self.audit("query", "--json")
        self.assertEqual(len(answer.text.splitlines()), 10)
        self.assertEqual(answer.err, b"")

    def test_links_fifos_and_directories_beside_the_log(self):
        self.example()
        os.symlink("/dev/zero", f"{self.log}.000001")
        self.audit("tail", status=3)
        os.unlink(f"{self.log}.000001")
        os.mkfifo(f"{self.log}.000001")
        self.audit("query", status=3)


class Stats(Audit):

    def test_totals(self):
        self.example()
        data = self.audit("stats", "--json").json["data"]
        self.assertEqual(data["records"], 10)
        self.assertEqual(data["operations"], 6)
        self.assertEqual(data["refusals"], 2)
        self.assertEqual(data["events"]["file.read"], 3)
        self.assertEqual(data["decisions"], {"allowed": 5, "denied": 2})
        self.assertEqual(data["refusedRules"], [{"rule": "boundary", "count": 1},
                                                {"rule": "deny:.env", "count": 1}])
        self.assertEqual([row["path"] for row in data["refusedPaths"]], ["../secret", ".env"])
        self.assertEqual(data["by"], "minute")
        self.assertEqual(data["buckets"], [
            {"time": "2026-11-15T13:42:00Z", "operations": 6, "refusals": 2}])
        self.assertEqual(data["damagedLines"], 0)

    def test_text(self):
        self.example()
        text = self.audit("stats").text
        self.assertTrue(text.startswith("10 records, 6 operations, 2 refused\n"
                                        "2026-11-15T13:42:13Z to 2026-11-15T13:42:22Z\n\n"), text)
        self.assertIn("         3  file.read\n", text)
        self.assertIn("operations per minute, UTC; x refused\n", text)
        self.assertRegex(text, r"2026-11-15 13:42  #+x+  6, 2 refused\n$")
        for row in text.splitlines():
            self.assertLessEqual(len(row), 100)
        blocks = self.audit("stats", LC_ALL="C.UTF-8").text
        self.assertRegex(blocks, "2026-11-15 13:42  █+▒+  6, 2 refused\n$")

    def test_buckets(self):
        self.writer.add("file.read", "a", decision="allowed")
        self.writer.now += 2 * 86400 * 10**9
        self.writer.add("file.read", "b", decision="denied", rule="r")
        for by, label, count in (("day", "2026-11-16  0", 3), ("hour", "2026-11-16 13:00  0", 48)):
            text = self.audit("stats", "--by", by).text
            chart = text[text.index(f"operations per {by}"):].splitlines()[1:]
            self.assertIn(label, chart)
            self.assertEqual(len([row for row in chart if row.startswith("2026-")]), count)
        self.assertIn("(1 earlier ones are not shown)", self.audit("stats", "--by", "hour").text)
        data = self.audit("stats", "--json", "--since", "2026-11-16").json["data"]
        self.assertEqual((data["records"], data["refusals"]), (1, 1))

    def test_odd_names_and_mistakes(self):
        self.writer.add("file.read", NASTY, decision="denied", rule=NASTY)
        text = self.audit("stats").text
        self.assertIn(r"a\x1b[2J\r\n\u202e\xff", text)
        row = self.audit("stats", "--json").json["data"]["refusedPaths"][0]
        self.assertEqual(row["pathEncoding"], "percent")
        self.audit("stats", "--by", "year", status=2)
        self.audit("stats", "--since", "soon", status=2)


if __name__ == "__main__":
    unittest.main()
