"""Cases for the rule in hours.py, printed as JSON: zones x changes of the clock x shifts."""
import json
from datetime import date, timedelta

from hours import DAY, HOUR, evaluate, offset, wall_seconds

YEAR = 2025
ZONES = [
    "America/New_York", "Europe/Berlin", "Africa/Cairo", "Australia/Lord_Howe", "America/Havana",
    "America/Santiago", "Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll",
    "Pacific/Chatham", "America/St_Johns", "Asia/Tehran", "Asia/Shanghai", "Atlantic/Azores",
    "America/Nuuk", "Asia/Beirut",
]
MODES = [None, "exact", "late", "early", "in first", "in second", "out first", "out second"]


def changes(zone, year):
    """Return the first instants after each change of the clocks in a year of a zone."""
    found = []
    for hour in range(366 * 24):
        low = wall_seconds(f"{year}-01-01", 0) + hour * HOUR
        high = low + HOUR
        if offset(zone, low) != offset(zone, high):
            before = offset(zone, low)
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
            found.append(high)
    return found


def shifts(low, size):
    """Return (parts, breaks) around the skipped or repeated wall minutes [low, low + size).

    A break is (from, to, paid). The minutes count from the midnight before `low`.
    """
    high, mid = low + size, low + size // 2
    quarter, third = low + size // 4, low + size // 4 * 3
    return [
        # Night shifts over the change: break within it, over its edges, over all of it, none.
        ([(low - 360, high + 240)], [(mid, mid + 30, False)]),
        ([(low - 360, high + 150)], [(low - 15, low + 30, False), (high + 60, high + 75, True)]),
        ([(low - 300, high + 180)], [(low - 20, high + 20, False), (mid, mid + 45, False),
                                     (low, low + 30, True)]),
        ([(low - 330, high + 210)], [(low, low + 30, True), (high, high + 30, False)]),
        ([(low - 300, high + 240)], []),
        ([(low - 360, high + 240)], [(high - 10, high + 35, False), (low - 90, low - 60, False)]),
        # Split shifts whose parts end and start at the edges of the change and within it.
        ([(low - 240, mid), (high, high + 180)], []),
        ([(low - 240, low), (mid, high + 200)], [(mid, mid + 20, False)]),
        ([(low - 240, low), (high, high + 200)], [(low - 20, low, False),
                                                  (high, high + 15, True)]),
        ([(low - 240, mid), (mid, high + 200)], [(mid - 10, mid + 10, False)]),
        ([(low - 240, quarter), (third, high + 200)], [(quarter, third, False)]),
        # Parts that lie wholly within the change or become empty.
        ([(quarter, mid), (mid, third)], [(quarter, mid, True)]),
        ([(low - 120, mid), (mid, high + size // 4), (high + size // 4, high + 300)],
         [(high, high + 30, False)]),
        ([(mid, high + size // 4), (high + size // 4, high + 240)], []),
        # Shifts that abut: at the middle, at the lower edge, at the upper edge.
        ([(low - 480, mid)], [(mid - 30, mid, False)]),
        ([(mid, high + 420)], [(mid, mid + 30, False), (high + 120, high + 150, False)]),
        ([(low - 300, low)], [(low - 30, low, False)]),
        ([(low, high + 300)], [(low, low + 30, False)]),
        ([(low - 300, high)], [(high - 30, high, False)]),
        ([(high, high + 300)], [(high, high + 30, False), (high + 270, high + 300, True)]),
        # Shift of 24 hours, with breaks on both sides and in the change.
        ([(low - 720, low + 720)], [(low - 300, low - 240, False), (mid, mid + 30, False),
                                    (high + 300, high + 330, True)]),
        # Dates from 00:00 to 24:00: the date of the change, the date before, the date after.
        ([(0, 1440)], [(mid, mid + 30, False), (720, 750, False)]),
        ([(-1440, 0)], [(-720, -690, False)]),
        ([(1440, 2880)], [(2160, 2190, True), (2200, 2230, False)]),
        # Day shifts of the dates around, and split days; breaks that overlap.
        ([(-960, -480)], [(-720, -690, False), (-700, -660, False)]),
        ([(480, 720), (780, 1020)], [(600, 615, True), (700, 800, False)]),
        ([(1920, 2400)], [(2160, 2190, False), (2170, 2180, True)]),
        # Night shift of the following date, and one that ends at the first midnight.
        ([(1320, 1800)], [(1440, 1470, False)]),
        ([(-240, 0)], [(-30, 0, False)]),
        ([(0, 360)], [(0, 30, False)]),
    ]


def presence(mode, case, change, size):
    """Return `in` and `out` of a mode; "first" and "second" mean the pass of a repeated hour."""
    parts = evaluate(case)["parts"]
    start, end, half = parts[0][0], parts[-1][1], size // 2 * 60
    spans = {
        None: (None, None), "exact": (start, end),
        "late": (start + 7 * 60, end + 7 * 60), "early": (start - 11 * 60, end - 11 * 60),
        "in first": (change - half, end), "in second": (change + half, end),
        "out first": (start, change - half), "out second": (start, change + half),
    }
    come, go = spans[mode]
    return (None, None) if come is None or come >= go else (come, go)


def build(zone, change, size, low_wall, number):
    """Return the cases of one change of a zone; `low_wall` is the first changed wall second."""
    midnight = low_wall // DAY * DAY
    day = date(1970, 1, 1) + timedelta(days=midnight // DAY)
    cases = []
    for index, (parts, breaks) in enumerate(shifts((low_wall - midnight) // 60, size)):
        # Date of the shift: the one on which its first part starts.
        days = parts[0][0] // 1440
        back = days * 1440
        modes = MODES if index == 0 else [MODES[(index + number) % len(MODES)]]
        for mode in modes:
            case = {
                "zone": zone, "date": (day + timedelta(days=days)).isoformat(),
                "parts": [[start - back, end - back] for start, end in parts],
                "breaks": [{"from": start - back, "to": end - back, "paid": paid}
                           for start, end, paid in breaks],
                "in": None, "out": None,
            }
            case["in"], case["out"] = presence(mode, case, change, size)
            cases.append(case)
    return cases


def main():
    """Print all cases."""
    cases, number = [], 0
    work = [(zone, change) for zone in ZONES for change in changes(zone, YEAR) or (None, None)]
    # Change at 00:01 that returns to the date before, so that its next date begins twice.
    work.append(("America/St_Johns", changes("America/St_Johns", 2010)[1]))
    for number, (zone, change) in enumerate(work):
        if change is None:
            # Ordinary days take the place of changes: 02:00 to 03:00 on the wall.
            low_wall = wall_seconds(f"{YEAR}-{'03-29' if number % 2 else '10-25'}", 120)
            change, size = low_wall - offset(zone, low_wall), 60
        else:
            before, after = offset(zone, change - 1), offset(zone, change)
            low_wall, size = change + min(before, after), abs(after - before) // 60
        cases += build(zone, change, size, low_wall, number)
    # Date that the clocks skipped altogether, 2011-12-30 in Apia.
    for parts in ([[1200, 1680]], [[1320, 3240]], [[600, 1440]]):
        cases.append({"zone": "Pacific/Apia", "date": "2011-12-29", "parts": parts,
                      "breaks": [{"from": parts[0][0] + 120, "to": parts[0][0] + 150,
                                  "paid": False}], "in": None, "out": None})
    print(json.dumps({"cases": cases}, indent=None))


if __name__ == "__main__":
    main()
