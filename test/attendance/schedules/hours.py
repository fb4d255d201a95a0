"""Planned and worked minutes of a shift in the time zone of its site.

The rule: A shift belongs to a date and has parts and breaks, given as wall minutes from 00:00 of
that date; minutes from 1440 on lie on the dates after it.
1. A wall time that comes twice is the first of its instants; one that the clocks skip moves
   forward by what is skipped. Both ends of a part are resolved this way.
2. A break starts at such an instant and lasts its nominal length in elapsed time.
3. A part does not start before the part before it has ended; a part that would then end before
   it starts is empty at its start.
4. Shifts that meet at a wall time share its instant. This follows from 1.
5. Planned minutes are the elapsed minutes of the parts without the unpaid breaks in them; breaks
   that overlap count once.
6. Worked minutes are those of the overlap of presence [in, out) with the parts, without the
   unpaid breaks; break minutes are what of the unpaid breaks lies within that overlap.
7. The first second of a date is the first instant at which the clocks show it.

Decisions where the rule is silent: a date that the clocks skip altogether begins (and ends) where
the next date begins; any break of the shift counts in any part that it reaches into; a minute in
both a paid and an unpaid break is unpaid; a break of no or negative length is ignored.
"""
import json
import sys
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from zoneinfo import ZoneInfo

HOUR = 3600
DAY = 24 * HOUR
REACH = 26  # hours searched on each side; no offset, and no skip of a whole day, is larger


def offset(zone, second):
    """Return the seconds that the clocks of the zone are ahead of UTC at a Unix second."""
    moment = datetime.fromtimestamp(second, timezone.utc).astimezone(ZoneInfo(zone))
    return int(moment.utcoffset().total_seconds())


def wall_seconds(day, minute):
    """Return a wall time as the Unix seconds it would have if the clocks showed UTC."""
    return (date.fromisoformat(day) - date(1970, 1, 1)).days * DAY + minute * 60


@lru_cache(maxsize=None)
def search(zone, wall):
    """Return the instants that show a wall time, and the last hourly sample that shows less."""
    samples = [(wall + h * HOUR, offset(zone, wall + h * HOUR)) for h in range(-REACH, REACH + 1)]
    shown = sorted({wall - o for _, o in samples if offset(zone, wall - o) == o})
    return shown, max(t for t, o in samples if t + o < wall)


def instant(zone, day, minute):
    """Return the Unix second of a wall time: the first if it comes twice, forward if skipped."""
    wall = wall_seconds(day, minute)
    shown, before = search(zone, wall)
    return shown[0] if shown else wall - offset(zone, before)


def first_second(zone, day):
    """Return the first instant at which the clocks show the date (or, if skipped, a later one)."""
    wall = wall_seconds(day, 0)
    shown, low = search(zone, wall)
    if shown:
        return shown[0]
    high = low + HOUR  # Midnight is skipped: the change lies after `low` and not after `high`.
    while high - low > 1:
        middle = (low + high) // 2
        if middle + offset(zone, middle) < wall:
            low = middle
        else:
            high = middle
    return high


def resolve(case):
    """Return the parts and the breaks of a shift as instants."""
    zone, day = case["zone"], case["date"]
    parts, ended = [], None
    for start, end in case["parts"]:
        start, end = instant(zone, day, start), instant(zone, day, end)
        start = start if ended is None else max(start, ended)
        ended = max(start, end)
        parts.append([start, ended])
    breaks = []
    for pause in case["breaks"]:
        start = instant(zone, day, pause["from"])
        breaks.append([start, start + (pause["to"] - pause["from"]) * 60])
    return parts, breaks


def covered(start, end, spans):
    """Return the seconds of [start, end) that lie in at least one span."""
    total = 0
    for low, high in sorted(spans):
        low, high = max(low, start), min(high, end)
        if high > low:
            total += high - low
            start = high
    return total


def evaluate(case):
    """Return instants, planned, worked and break minutes of a case."""
    parts, breaks = resolve(case)
    unpaid = [span for span, pause in zip(breaks, case["breaks"]) if not pause["paid"]]
    planned = sum(end - start - covered(start, end, unpaid) for start, end in parts)
    worked = rest = None
    if case["in"] is not None and case["out"] is not None:
        there = [(max(start, case["in"]), min(end, case["out"])) for start, end in parts]
        there = [(start, end) for start, end in there if start < end]
        rest = sum(covered(start, end, unpaid) for start, end in there)
        worked = (sum(end - start for start, end in there) - rest) // 60
        rest //= 60
    following = (date.fromisoformat(case["date"]) + timedelta(days=1)).isoformat()
    bounds = [first_second(case["zone"], day) for day in (case["date"], following)]
    return {"parts": parts, "breaks": breaks, "planned": planned // 60, "worked": worked,
            "break": rest, "day": bounds}


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        from hours_test import self_test
        self_test()
    else:
        json.dump([evaluate(case) for case in json.load(sys.stdin)["cases"]], sys.stdout)
        print()
