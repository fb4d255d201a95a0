"""The second implementation of docs/decisions/schedules.md, to compare the first with.

Reads a site as JSON from stdin and writes the results of every person and day as JSON. It shares no
code and no form with src/attendance/schedules: time is a set of minutes here, each of them asked what
it is, and a day is looked up by walking over everything that is known. Slow, and easy to check.
"""

import json
import sys
from datetime import date, datetime, timedelta, timezone
from math import floor
from zoneinfo import ZoneInfo

import hours

MARGIN = 5
site = json.load(sys.stdin)
zone = ZoneInfo(site["zone"])
rules = site["rules"]
now = site["now"] / 1000


def day(text):
    return date.fromisoformat(text)


def instant(d, minute):
    """The unix second at which the site's clocks show this minute of the date."""
    return hours.instant(site["zone"], d.isoformat(), minute)


def wall(text):
    d, t = text.split("T")
    hour, minute = t.split(":")[:2]
    return instant(day(d), int(hour) * 60 + int(minute))


def first_second(d):
    return hours.first_second(site["zone"], d.isoformat())


def local_date(second):
    return datetime.fromtimestamp(second, timezone.utc).astimezone(zone).date()


def cut(second):
    return second - second % 60


def minutes(start, end):
    return set(range(start // 60, end // 60))


# ---------------------------------------------------------------------------------------------- plans


def rank(target, person, d):
    """How near a target is to a person: 0 is the person, then the departments upwards, then the site."""
    if target["kind"] == "person":
        return 0 if target["extId"] == person["extId"] else None
    if target["kind"] == "site":
        return 1000
    # The first place whose last date is not over.
    chain = next(place["chain"] for place in person["places"] if d.isoformat() <= place["to"])
    return 1 + chain.index(target["extId"]) if target["extId"] in chain else None


def best(candidates, person, d, later):
    found = None
    for one in candidates:
        nearness = rank(one["target"], person, d)
        if nearness is None:
            continue
        key = (-nearness, later(one))
        if found is None or key > found[0]:
            found = (key, one)
    return found[1] if found else None


def rule_of(person, d):
    text = d.isoformat()
    holding = [r for r in site["rosterRules"] if r["from"] <= text and (r["to"] is None or text <= r["to"])]
    return best(holding, person, d, lambda r: (r["recordedAt"], r["id"]))


def in_cycle(rule, d):
    return rule["cycle"][(d - day(rule["anchor"])).days % len(rule["cycle"])]


def version(code, d):
    if code is None:
        return None
    versions = [s for s in site["shifts"] if s["code"] == code and s["validFrom"] <= d.isoformat()]
    return max(versions, key=lambda s: s["validFrom"]) if versions else None


def weekday_in_week(d, number):
    return d - timedelta(days=d.isoweekday() - number)


def neighbour_workday(d):
    """A Saturday works as the Friday before, a Sunday as the Monday after."""
    return d - timedelta(days=1) if d.isoweekday() == 6 else d + timedelta(days=1) if d.isoweekday() == 7 else d


def stints_of(person):
    """First and last days, in order; None: without that end."""
    employment = person["employment"] or {"from": None, "to": None, "earlier": []}
    return [(s["from"], s["to"]) for s in [*employment["earlier"], employment]]


class Plan:
    """What is planned for a person on a date."""

    def __init__(self, person, d):
        text = d.isoformat()
        self.shift = None
        self.legal = False
        national = site["calendar"].get(text)
        overrides = [o for o in site["overrides"] if o["date"] == text]
        plain = best([o for o in overrides if o["what"]["kind"] != "shift"], person, d, lambda o: o["id"])
        top = best(overrides, person, d, lambda o: o["id"])
        rule = rule_of(person, d)
        self.legal = plain["what"]["kind"] == "legal_holiday" if plain else national == "legal_holiday"
        if not any((f or "") <= text <= (t or "9999") for f, t in stints_of(person)):
            self.kind = "not_employed"
            return
        if rule is None and top is None:
            self.kind = "none"
            return
        whole_weeks = rule is not None and len(rule["cycle"]) % 7 == 0
        cycle_code = in_cycle(rule, d) if rule else None
        what = top["what"]["kind"] if top else None
        rests = False
        code = cycle_code
        if what == "rest":
            rests, code = True, None
        elif what == "shift":
            code = top["what"]["code"]
        elif what == "makeup":
            code = in_cycle(rule, weekday_in_week(d, top["what"]["weekday"])) if rule else None
        elif what == "workday":
            if rule and code is None:
                code = in_cycle(rule, neighbour_workday(d))
        elif what == "legal_holiday":
            if whole_weeks or rule is None:
                rests, code = True, None
        elif whole_weeks and national in ("legal_holiday", "rest"):
            rests, code = True, None
        elif whole_weeks and national == "makeup" and code is None:
            code = in_cycle(rule, neighbour_workday(d))
        self.shift = version(code, d)
        if self.legal:
            self.kind = "legal_holiday"
        elif self.shift:
            self.kind = "workday"
        elif code is not None:
            self.kind = "none"
        elif rests or (rule is not None and what not in ("workday", "makeup")):
            self.kind = "rest"
        else:
            self.kind = "none"


# ---------------------------------------------------------------------------------------------- slots


class Slot:
    def __init__(self, d, index, segment, shift, leaves, before):
        self.date, self.index, self.shift = d, index, shift
        self.need_in, self.need_out = segment["needIn"], segment["needOut"]
        self.on, self.off = instant(d, segment["on"]), instant(d, segment["off"])
        # On the wall, it begins when the one before it has ended, or later: so it does in time.
        self.wall_off = (d, segment["off"])
        if before is not None:
            ended = (before.wall_off[0] - d).days * 1440 + before.wall_off[1]
            if segment["on"] >= ended:
                self.on = max(self.on, before.planned_off)
        self.off = max(self.on, self.off)
        self.planned_on, self.planned_off = self.on, self.off
        self.own_from = self.on - 60 * segment["before"]
        self.own_to = self.off + 60 * segment["after"]
        breaks = [
            (start := instant(d, b["from"]), start + 60 * (b["to"] - b["from"]), b["paid"]) for b in shift["breaks"]
        ]
        self.unpaid = set()
        for start, end, paid in breaks:
            if not paid:
                self.unpaid |= minutes(start, end)
        whole = minutes(self.on, self.off)
        away = set()
        for start, end in leaves:
            away |= minutes(cut(start), cut(end)) & whole
        moved = True
        while moved and self.on < self.off:
            moved = False
            for start, end in leaves:
                if start <= self.on < end:
                    self.on, moved = end, True
                if start < self.off <= end:
                    self.off, moved = start, True
            for start, end, _ in breaks:
                if self.on != self.planned_on and start <= self.on < end:
                    self.on, moved = end, True
                if self.off != self.planned_off and start < self.off <= end:
                    self.off, moved = start, True
        self.gone = self.on >= self.off
        self.is_cut = self.on != self.planned_on or self.off != self.planned_off
        self.away = away
        self.leave = len(away - self.unpaid)
        self.win_from, self.win_to = self.own_from, self.own_to
        self.chain_in = self.chain_out = None
        self.events = []

    def contains(self, t):
        return self.win_from <= t < self.win_to


class Event:
    def __init__(self, punch):
        self.punches, self.t = [punch], punch["t"]

    @property
    def last(self):
        return self.punches[-1]["t"]


def effective_corrections(person):
    undone, force = set(), []
    for c in sorted(person["corrections"], key=lambda c: -c["id"]):
        if c["state"] != "approved" or c["id"] in undone:
            continue
        if c["kind"] == "undo":
            undone.add(c["reverses"])
        else:
            force.append(c)
    return sorted(force, key=lambda c: c["id"])


def said_or_corrected(punch):
    clock = punch["clock"]
    if rules["clock"] == "corrected" and clock and clock["highMs"] is not None:
        low, high = clock["lowMs"], clock["highMs"]
        if high - low <= 20000 and not (low <= 2000 and high >= -2000):
            offset = floor((low + high) / 2000 + 0.5)
            if abs(offset) > 60:
                return punch["at"] - offset
    return punch["at"]


def events_of(punches):
    found = []
    for p in sorted(punches, key=lambda p: (p["t"], p["id"])):
        if found and p["t"] - found[-1].t <= rules["repeatSeconds"]:
            found[-1].punches.append(p)
        else:
            found.append(Event(p))
    return found


def floor_step(value, overtime):
    if value < overtime["min"]:
        return 0
    step = max(1, overtime["step"])
    return value - value % step


# --------------------------------------------------------------------------------------------- people

EMPTY = ("planned", "worked", "break", "late", "early", "leave", "overtimeWorkday", "overtimeRest", "overtimeHoliday")


class Person:
    def __init__(self, person, first, last):
        self.person = person
        self.first, self.last = first, last
        self.plans = {}
        d = first - timedelta(days=MARGIN)
        while d <= last + timedelta(days=MARGIN):
            self.plans[d] = Plan(person, d)
            d += timedelta(days=1)
        self.leaves = [
            (wall(v["from"]), wall(v["to"])) for v in person["leaves"] if v["state"] == "approved"
        ]
        self.slots = []
        for d, plan in self.plans.items():
            if plan.shift and plan.kind != "not_employed":
                for index, segment in enumerate(plan.shift["segments"]):
                    before = self.slots[-1] if self.slots else None
                    self.slots.append(Slot(d, index, segment, plan.shift, self.leaves, before))
        self.there = sorted((s for s in self.slots if not s.gone), key=lambda s: (s.on, s.date, s.index))
        self.gone = sorted((s for s in self.slots if s.gone), key=lambda s: (s.planned_on, s.date, s.index))
        for one, two in zip(self.there, self.there[1:]):
            mid = one.off + (two.on - one.off) // 2
            one.win_to, two.win_from = min(one.win_to, mid), max(two.win_from, mid)
        self.read_punches()
        self.place()

    def read_punches(self):
        aside, counted = set(), []
        for c in effective_corrections(self.person):
            if c["kind"] == "set_aside":
                aside.add(c["checkInId"])
            else:
                counted.append({"id": c["checkInId"], "at": c["at"], "t": c["at"]})
        for p in self.person["punches"]:
            if p["id"] not in aside:
                counted.append({"id": p["id"], "at": p["at"], "t": said_or_corrected(p)})
        self.events = events_of(counted)

    def free_day(self, d):
        plan = self.plans.get(d)
        return plan is not None and plan.kind != "not_employed" and plan.shift is not None and plan.shift["kind"] == "free"

    def free_away(self, d):
        whole = minutes(first_second(d), first_second(d + timedelta(days=1)))
        away = set()
        for start, end in self.leaves:
            away |= minutes(cut(start), cut(end)) & whole
        return len(away)

    def where(self, t):
        """Of an event in no slot: the date on which it is shown, the reason, the minutes, and how it counts."""
        local = local_date(t)
        text = local.isoformat()
        stints = stints_of(self.person)
        if not any((f or "") <= text <= (t or "9999") for f, t in stints):
            return local, "before_joining" if text < (stints[0][0] or "") else "after_leaving", None
        for slot in self.gone:
            if slot.own_from <= t < slot.own_to:
                return slot.date, "on_leave", None
        if self.free_day(local):
            required = self.plans[local].shift["requiredMinutes"]
            if required - self.free_away(local) <= 0:
                return local, "on_leave", None
            return local, "free", None
        plan = self.plans.get(local)
        if plan is None:
            return local, "outside", None
        if plan.shift is None:
            if plan.kind == "rest":
                return local, "rest_day", None
            if plan.kind == "legal_holiday":
                return local, "holiday", None
            return local, "no_schedule", None
        nearest = None
        for slot in sorted(self.slots, key=lambda s: (s.planned_on, s.date, s.index)):
            start, end = (slot.own_from, slot.own_to) if slot.gone else (slot.win_from, slot.win_to)
            if t < start:
                far, reason, away = start - t, "before_window", start - cut(t)
            else:
                far, reason, away = t - end, "after_window", cut(t) - end
            if slot.date != local and far > 180 * 60:
                continue
            if nearest is None or far < nearest[0]:
                nearest = (far, slot.date, reason, max(0, away // 60))
        return nearest[1], nearest[2], nearest[3]

    def place(self):
        self.loose = []
        free = self.events
        zone_seconds = 60 * rules["chainedMinutes"]
        zoned = set()
        for one, two in zip(self.there, self.there[1:]):
            if not 0 <= two.on - one.off < zone_seconds:
                continue
            inside = [e for e in free if one.off - zone_seconds <= e.t <= two.on + zone_seconds]
            if not inside:
                continue
            early = [e for e in inside if e.t <= one.off]
            out = early[-1] if early else inside[0]
            later = [e for e in inside if e.t > out.t]
            begin = later[0] if later else out
            one.chain_out, two.chain_in = out, begin
            for e in inside:
                zoned.add(id(e))
                if e.t <= out.t and e not in one.events:
                    one.events.append(e)
                if e.t >= begin.t and e not in two.events:
                    two.events.append(e)
        for e in free:
            if id(e) in zoned:
                continue
            home = next((s for s in self.there if s.contains(e.t)), None)
            if home:
                home.events.append(e)
            else:
                self.loose.append((e,) + self.where(e.t))
        for s in self.there:
            s.events.sort(key=lambda e: (e.t, e.punches[0]["id"]))

    # -------------------------------------------------------------------------------------- one slot

    def ends(self, slot, on, off):
        """The events that are start and end."""
        events = slot.events
        if not events:
            return None, None
        if now < off:
            return events[0], None
        chain_in, chain_out = slot.chain_in, slot.chain_out
        start = end = None
        if chain_in and chain_out:
            start = chain_in
            end = chain_out if chain_out.t > chain_in.t else None
        elif chain_out:
            end = chain_out
            start = events[0] if events[0].t < chain_out.t else None
        elif chain_in:
            start = chain_in
            end = events[-1] if events[-1].t > chain_in.t and events[-1].t >= on else None
        elif len(events) == 1:
            [only] = events
            if slot.need_in != slot.need_out:
                is_in = slot.need_in
            else:
                is_in = abs(only.t - on) <= abs(off - only.t)
            start, end = (only, None) if is_in else (None, only)
        elif all(e.t < on for e in events):
            start = events[0]
        elif all(e.t >= off for e in events):
            end = events[-1]
        else:
            start, end = events[0], events[-1]
        if slot.shift["counting"] == "pairs" and start and end and len(events) % 2 == 1:
            end = None
        return start, end

    def late_on(self, slot):
        if slot.index != 0 or slot.on != slot.planned_on or not slot.shift["lateOffLateOn"]:
            return 0
        before = [s for s in self.there if s.date == slot.date - timedelta(days=1)]
        if not before:
            return 0
        stayed = self.figures(before[-1], moved=0)["stayed"]
        if stayed is None:
            return 0
        later = [e["later"] for e in slot.shift["lateOffLateOn"] if stayed >= e["stayed"]]
        return max(later) if later else 0

    def figures(self, slot, moved):
        shift = slot.shift
        on, off = min(slot.on + 60 * moved, slot.off), slot.off
        start, end = self.ends(slot, on, off)
        any_event = len(slot.events) > 0
        is_over = now >= off
        start_at = cut(start.t) if start else None
        end_at = cut(end.last) if end else None
        sources = ["punch" if start else None, "punch" if end else None]
        flexible = shift["kind"] == "flexible" and not slot.is_cut
        grace_in = 0 if shift["kind"] == "flexible" else shift["lateGrace"]
        grace_out = 0 if shift["kind"] == "flexible" else shift["earlyGrace"]
        if flexible and start:
            wanted = min(max(start_at, on - 60 * shift["flexEarly"]), on + 60 * shift["flexLate"])
            off += wanted - on
            on = wanted
        if start is None and not slot.need_in and (any_event or not slot.need_out) and now >= on:
            start_at, sources[0] = on, "planned"
        if end is None and not slot.need_out and (any_event or not slot.need_in) and is_over:
            end_at, sources[1] = off, "planned"
        f = dict.fromkeys(EMPTY, 0)
        span = minutes(on, off)
        countable = span - slot.unpaid - slot.away
        planned = countable
        worked = set()
        if start_at is not None and end_at is not None:
            if shift["counting"] == "pairs" and sources == ["punch", "punch"]:
                events = slot.events
                for a, b in zip(events[0::2], events[1::2]):
                    present = minutes(cut(a.t), cut(b.last))
                    worked |= present & countable
                    f["break"] += len(present & span & slot.unpaid)
            else:
                present = minutes(start_at, end_at)
                worked = present & countable
                f["break"] = len(present & span & slot.unpaid)
        if sources[0] == "punch" and start_at > on + 60 * grace_in:
            f["late"] = (start_at - on) // 60
        if sources[1] == "punch" and end_at < off - 60 * grace_out:
            f["early"] = (off - end_at) // 60
        f["leave"] = slot.leave
        plan = self.plans[slot.date]
        if rules["nightOvertime"] == "calendar_day":
            is_holiday = lambda minute: self.is_legal(local_date(minute * 60))
        else:
            is_holiday = lambda minute: plan.legal
        f["planned"] = sum(1 for m in planned if not is_holiday(m))
        f["worked"] = sum(1 for m in worked if not is_holiday(m))
        f["overtimeHoliday"] = len(worked) - f["worked"]
        stayed = None
        if end_at is not None and sources[1] == "punch":
            stayed = (end_at - off) // 60
        if start_at is not None and end_at is not None:
            segments = len(shift["segments"])
            if slot.index == segments - 1 and shift["overtime"]["after"] and sources[1] == "punch":
                edge = off if slot.off == slot.planned_off else slot.planned_off
                extra = floor_step(max(0, (end_at - edge) // 60), shift["overtime"])
                f["overtimeHoliday" if is_holiday(edge // 60) else "overtimeWorkday"] += extra
            if slot.index == 0 and shift["overtime"]["before"] and sources[0] == "punch":
                edge = on if flexible else slot.planned_on
                extra = floor_step(max(0, (edge - start_at) // 60), shift["overtime"])
                f["overtimeHoliday" if is_holiday(edge // 60) else "overtimeWorkday"] += extra
        return {
            "on": on,
            "off": off,
            "in": (start.t if start else start_at) if start_at is not None else None,
            "out": (end.last if end else end_at) if end_at is not None else None,
            "minutes": f,
            "state": self.state(slot.on, slot.off, slot.win_to, any_event, start_at, end_at, plan),
            "stayed": stayed,
        }

    def is_legal(self, d):
        return d in self.plans and self.plans[d].legal

    def state(self, on, off, closes, any_event, start_at, end_at, plan):
        if now < on and not any_event:
            return "to_come"
        if now < off:
            return "running"
        if start_at is not None and end_at is not None:
            return "ok"
        if now < closes:
            return "running"
        if self.person["reportedUntil"] / 1000 < closes and now < closes + 3600 * rules["absentAfterHours"]:
            return "not_known_yet"
        if start_at is None and end_at is None:
            return "not_worked" if plan.legal else "absent"
        return "missing_in" if start_at is None else "missing_out"

    # --------------------------------------------------------------------------------------- one day

    def free_result(self, d):
        shift = self.plans[d].shift
        required = shift["requiredMinutes"]
        leave = min(required, self.free_away(d))
        f = dict.fromkeys(EMPTY, 0)
        f["leave"] = leave
        if leave >= required:
            return {"state": "leave", "minutes": f, "on": None, "off": None, "in": None, "out": None}
        events = sorted((x[0] for x in self.loose if x[1] == d and x[2] == "free"), key=lambda e: (e.t, e.punches[0]["id"]))
        opens, closes = first_second(d), first_second(d + timedelta(days=1))
        start = events[0] if events else None
        end = None
        legal = self.plans[d].legal
        f["planned"] = 0 if legal else required - leave
        if now >= closes and events and len(events) % 2 == 0:
            end = events[-1]
            total = sum(max(0, cut(b.last) - cut(a.t)) // 60 for a, b in zip(events[0::2], events[1::2]))
            if legal:
                f["overtimeHoliday"] = total
            else:
                f["worked"] = min(total, required - leave)
                if shift["overtime"]["after"]:
                    f["overtimeWorkday"] = floor_step(total - f["worked"], shift["overtime"])
        state = self.state(opens, closes, closes, bool(events), start and start.t, end and end.t, self.plans[d])
        return {
            "state": state, "minutes": f, "on": None, "off": None,
            "in": start.t if start else None, "out": end.last if end else None,
        }

    def result(self, d):
        plan = self.plans[d]
        segments = []
        total = dict.fromkeys(EMPTY, 0)
        if self.free_day(d):
            segments.append(self.free_result(d))
        for slot in sorted((s for s in self.slots if s.date == d), key=lambda s: s.index):
            if slot.gone:
                f = dict.fromkeys(EMPTY, 0)
                f["leave"] = slot.leave
                one = {"state": "leave", "minutes": f, "on": slot.planned_on, "off": slot.planned_off, "in": None, "out": None}
            else:
                one = self.figures(slot, self.late_on(slot))
                one.pop("stayed")
            segments.append(one)
        for one in segments:
            for name in EMPTY:
                total[name] += one["minutes"][name]
        extra = sorted(
            (x[0] for x in self.loose if x[1] == d and x[2] in ("rest_day", "holiday")),
            key=lambda e: (e.t, e.punches[0]["id"]),
        )
        if len(extra) > 1:
            a, b = extra[0], extra[-1]
            name = "overtimeHoliday" if plan.legal else "overtimeRest"
            total[name] += max(0, cut(b.last) - cut(a.t)) // 60
        unplaced = sorted(
            [x[0].punches[0]["id"], x[2], x[3]]
            for x in self.loose
            if x[1] == d and x[2] not in ("rest_day", "holiday", "free")
        )
        return {
            "date": d.isoformat(),
            "kind": plan.kind,
            "shift": plan.shift["code"] if plan.shift else None,
            "segments": segments,
            "minutes": total,
            "unplaced": unplaced,
        }


results = {}
first, last = day(site["from"]), day(site["to"])
for person in site["people"]:
    one = Person(person, first, last)
    results[person["extId"]] = [one.result(first + timedelta(days=n)) for n in range((last - first).days + 1)]
sys.stdout.write(json.dumps(results))
