"""Self-test of the reference: examples of the rule, edges of many zones, and a check with fold."""
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from hours import evaluate, first_second, instant, wall_seconds

# Wall times and the instants they must be: zone, date, minute, expected.
INSTANTS = """
America/New_York    2025-11-02   90 2025-11-02T01:30-04:00
America/New_York    2026-03-08  150 2026-03-08T03:30-04:00
America/New_York    2026-03-07 1590 2026-03-08T03:30-04:00
Europe/Berlin       2026-10-25  150 2026-10-25T02:30+02:00
Europe/Berlin       2026-10-25  120 2026-10-25T02:00+02:00
Europe/Berlin       2026-10-25  180 2026-10-25T03:00+01:00
Europe/Berlin       2026-03-29  120 2026-03-29T03:00+02:00
Australia/Lord_Howe 2026-04-05  105 2026-04-05T01:45+11:00
Australia/Lord_Howe 2026-04-05  120 2026-04-05T02:00+10:30
Australia/Lord_Howe 2026-10-04  120 2026-10-04T02:30+11:00
Australia/Lord_Howe 2026-10-04  135 2026-10-04T02:45+11:00
America/Havana      2026-11-01    0 2026-11-01T00:00-04:00
America/Havana      2026-10-31 1470 2026-11-01T00:30-04:00
America/Havana      2026-03-08   30 2026-03-08T01:30-04:00
America/Santiago    2026-04-04 1410 2026-04-04T23:30-03:00
America/Santiago    2026-04-05    0 2026-04-05T00:00-04:00
America/Santiago    2026-09-06    0 2026-09-06T01:00-03:00
America/Santiago    2026-09-05 1470 2026-09-06T01:30-03:00
Pacific/Apia        2026-04-05  180 2026-04-05T03:00+13:00
Pacific/Apia        2011-12-30  600 2011-12-31T10:00+14:00
Africa/Casablanca   2026-02-15  150 2026-02-15T02:30+01:00
Africa/Casablanca   2026-03-22  150 2026-03-22T03:30+01:00
Antarctica/Troll    2026-03-29   90 2026-03-29T03:30+02:00
Antarctica/Troll    2026-10-25   90 2026-10-25T01:30+02:00
Antarctica/Troll    2026-10-25  180 2026-10-25T03:00+00:00
Pacific/Chatham     2026-04-05  180 2026-04-05T03:00+13:45
Pacific/Chatham     2026-04-05  225 2026-04-05T03:45+12:45
Pacific/Chatham     2026-09-27  180 2026-09-27T04:00+13:45
America/St_Johns    2026-03-08  150 2026-03-08T03:30-02:30
America/St_Johns    2010-11-07    0 2010-11-07T00:00-02:30
Asia/Tehran         2026-03-22    0 2026-03-22T00:00+03:30
Asia/Shanghai       2026-06-01   60 2026-06-01T01:00+08:00
Atlantic/Azores     2026-03-29    0 2026-03-29T01:00+00:00
Atlantic/Azores     2026-10-25    0 2026-10-25T00:00+00:00
America/Toronto     1919-03-31    0 1919-03-31T01:00-04:00
"""

# First seconds of dates: zone, date, expected.
FIRST_SECONDS = """
America/New_York    2026-03-08 2026-03-08T00:00-05:00
Africa/Cairo        2025-10-31 2025-10-31T00:00+02:00
Africa/Cairo        2026-04-24 2026-04-24T01:00+03:00
America/Havana      2026-11-01 2026-11-01T00:00-04:00
America/Havana      2026-03-08 2026-03-08T01:00-04:00
America/Santiago    2026-04-05 2026-04-05T00:00-04:00
America/Santiago    2026-09-06 2026-09-06T01:00-03:00
Atlantic/Azores     2026-10-25 2026-10-25T00:00+00:00
America/Nuuk        2026-03-29 2026-03-29T00:00-01:00
America/Nuuk        2026-10-25 2026-10-25T00:00-02:00
America/St_Johns    2010-11-07 2010-11-07T00:00-02:30
America/Toronto     1919-03-31 1919-03-31T00:30-04:00
Pacific/Apia        2011-12-30 2011-12-31T00:00+14:00
Pacific/Apia        2011-12-31 2011-12-31T00:00+14:00
"""

# Shifts: zone, date, parts, unpaid breaks, in, out, and what must come out.
SHIFTS = [
    ("America/New_York", "2025-11-01", [[1200, 1710]], [(1470, 1500)],
     "2025-11-01T20:00-04:00", "2025-11-02T04:30-05:00", (540, 540, 30)),
    ("America/New_York", "2026-03-07", [[1200, 1710]], [(1590, 1620)], None, None,
     (420, None, None)),
    ("Europe/Berlin", "2026-10-24", [[1080, 1560], [1590, 1800]], [], None, None,
     (750, None, None)),
    ("Africa/Cairo", "2025-10-30", [[900, 1380]], [], None, None, (480, None, None)),
    # Part emptied: it starts at 02:45 on the wall and would end at 02:35; the next starts 02:45.
    ("Australia/Lord_Howe", "2026-10-04", [[135, 155], [155, 300]], [], None, None,
     (135, None, None)),
    # Breaks that overlap: 60 minutes in all, of which 50 lie before the person leaves.
    ("Asia/Tehran", "2026-03-22", [[480, 960]], [(600, 640), (620, 660)],
     "2026-03-22T08:07+03:30", "2026-03-22T10:50+03:30", (420, 113, 50)),
    # Break that reaches from one part through the time between into the next part.
    ("Asia/Shanghai", "2026-06-01", [[480, 600], [630, 720]], [(590, 640)], None, None,
     (190, None, None)),
    # Day of 25 hours that begins with the first of two midnights.
    ("Atlantic/Azores", "2026-10-25", [[0, 1440]], [], None, None, (1500, None, None)),
    ("Antarctica/Troll", "2026-03-29", [[0, 1440]], [], None, None, (1320, None, None)),
]

ZONES = sorted({line.split()[0] for line in INSTANTS.split("\n") if line} | {"Asia/Beirut"})


def unix(text):
    """Return the Unix second of an ISO text with offset."""
    return None if text is None else int(datetime.fromisoformat(text).timestamp())


def check_fold():
    """Compare every quarter of an hour of a year with the fold of the library, near changes."""
    checked = 0
    for zone in ZONES:
        info = ZoneInfo(zone)
        for number in range(365):
            midnight = datetime(2026, 1, 1) + timedelta(days=number)
            offsets = [(midnight + timedelta(days=d)).replace(tzinfo=info).utcoffset()
                       for d in (-1, 2)]
            if offsets[0] == offsets[1] and number % 30:
                continue
            for minute in range(0, 1440, 15):
                wall = (midnight + timedelta(minutes=minute)).replace(tzinfo=info)
                assert instant(zone, str(midnight.date()), minute) == wall.timestamp(), wall
                checked += 1
    return checked


def self_test():
    """Run all checks; an assertion fails if one does not hold."""
    for line in INSTANTS.strip().splitlines():
        zone, day, minute, expected = line.split()
        assert instant(zone, day, int(minute)) == unix(expected), line
    for line in FIRST_SECONDS.strip().splitlines():
        zone, day, expected = line.split()
        assert first_second(zone, day) == unix(expected), line
    for zone, day, parts, unpaid, come, go, expected in SHIFTS:
        breaks = [{"from": low, "to": high, "paid": False} for low, high in unpaid]
        got = evaluate({"zone": zone, "date": day, "parts": parts, "breaks": breaks,
                        "in": unix(come), "out": unix(go)})
        assert (got["planned"], got["worked"], got["break"]) == expected, (zone, day, got)
    got = evaluate({"zone": "Europe/Berlin", "date": "2026-03-28", "breaks": [], "in": None,
                    "out": None, "parts": [[1320, 1590], [1620, 1800]]})
    assert got["parts"][1][0] == got["parts"][0][1] == unix("2026-03-29T03:30+02:00"), got
    # Shifts that meet at a wall time share its instant, whichever date counts the minutes.
    for zone in ZONES:
        for day, following in (("2026-03-28", "2026-03-29"), ("2026-10-24", "2026-10-25")):
            for minute in range(0, 300, 15):
                assert instant(zone, day, 1440 + minute) == instant(zone, following, minute)
    assert wall_seconds("1970-01-02", 1) == 86460
    print("All checks passed;", check_fold(), "wall times agree with fold.")
