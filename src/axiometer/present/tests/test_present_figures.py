"""Ceilings, errors, ranges, summaries: the figures that tables and reports print."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kit
import present_fake as fake
from axiometer.answer.analysis import comparison
from axiometer.answer.analysis.ports_and_paths import Facts, ceiling
from axiometer.answer.analysis.results import Row
from axiometer.present import cause_colours, charts, tables
from axiometer.present.layout import layout
from axiometer.present.text import Style


def with_published(row, published, role=None):
    return Row(**(vars(row) | {"published": published, "role": role}))


def test_expected_is_the_lower_of_ports_and_dram():
    one = ceiling(fake.FACTS, fake.values_of(mode="ps_to_pl"))
    assert (one.value, one.dram_limits) == (800, False)
    duplex = ceiling(fake.FACTS, fake.values_of(ports=["HP0", "HP1", "HP2"]))
    assert (duplex.ports, duplex.value, duplex.dram_limits) == (4800, 4200, True)
    assert ceiling(Facts("x", "x"), fake.values_of()).value == 1600
    assert ceiling(fake.FACTS, {"ports": []}).value is None


def test_an_unknown_ceiling_marks_nothing():
    row = fake.row()
    bare = Row(**(vars(row) | {"ceiling": ceiling(fake.FACTS, {})}))
    assert bare.efficiency_pct is None
    assert not bare.degraded


def test_the_mark_goes_by_the_printed_efficiency():
    row = fake.row()
    for mean, marked in ((1584.0, False), (1583.95, False), (1583.9, True)):
        stats = row.stats | {"total_MBps": row.stats["total_MBps"] | {"mean": mean}}
        assert Row(**(vars(row) | {"stats": stats})).degraded is marked


def test_error_and_range():
    row = fake.row()
    mean = row.mean
    assert with_published(row, None).error_pct is None
    assert with_published(row, {"mean": mean / 1.02}).error_pct == pytest.approx(2.0)
    assert with_published(row, {"mean": mean}).inside() is None
    near = {"mean": mean, "min": mean * 1.02, "max": mean * 1.04}
    assert with_published(row, near).inside() is False
    assert with_published(row, near).inside(0.03) is True


@given(
    st.lists(
        st.tuples(
            st.floats(0.5, 2), st.floats(0, 0.5), st.sampled_from(["fitted", "predicted", None])
        ),
        max_size=12,
    )
)
def test_fitted_and_predicted_rows_make_up_the_whole(cases):
    base = fake.row()
    rows = [
        with_published(base, fake.around(base.mean * factor, spread), role)
        for factor, spread, role in cases
    ]
    groups = comparison.split(rows)
    named = [groups[n] for n in ("fitted", "predicted")]
    assert groups["all"].compared == len(rows)
    assert sum(g.compared for g in named) == sum(role is not None for *_, role in cases)
    for g in groups.values():
        assert g.inside <= g.inside_widened <= g.ranged <= g.compared
        if g.compared:
            assert g.mean_abs_error_pct <= abs(g.worst.error_pct) + 1e-9


def test_the_summary_keeps_fitted_rows_apart_and_names_the_parameters():
    lines = "\n".join(tables.summary(fake.view(), "published", Style()))
    assert "Fitted rows: 1," in lines
    assert "Predicted rows: 29," in lines
    assert "Both together (fitted rows included)" in lines
    assert "path.hp01.inflight_bytes_read = 512 bytes" in lines
    assert "Selected with published rows in sight (1)" in lines


def test_a_run_without_reference_has_nothing_to_summarise():
    view = fake.view([fake.row()], citation=None)
    assert tables.summary(view, "published", Style()) == [
        "No row of this run has a counterpart in published."
    ]


def test_a_table_is_laid_out_as_a_grid_and_an_irregular_run_as_one_list():
    shape = layout(fake.view())
    assert (shape.curve, shape.along, shape.across, len(shape.panels)) == (False, "ports", 3, 6)
    assert sum(len(p.rows) for p in shape.panels) == 30
    ragged = layout(
        fake.view([fake.row(0, {"ports": "HP0"}), fake.row(1, {"ports": "HP0", "pl_mhz": 150})])
    )
    assert (ragged.along, len(ragged.panels)) == (None, 1)
    alone = layout(fake.view([fake.row(0, {})]))
    assert len(alone.panels) == 1


def test_the_plot_hint_makes_a_curve_of_few_points():
    rows = [fake.row(i, {"pl_mhz": mhz}, pl_mhz=mhz) for i, mhz in enumerate((50, 100, 150))]
    assert not layout(fake.view(rows)).curve
    assert layout(fake.view(rows, plot={"x": "pl_mhz"})).along == "pl_mhz"


def test_more_sets_of_ports_than_colours_are_drawn_by_how_many_they_are():
    sets = [["HP0"], ["HP1"], ["HP2"], ["HP3"], ["HP0", "HP1"], ["HP0", "HP2"], ["HP0", "HP3"],
            ["HP1", "HP2"]]  # fmt: skip
    rows = [
        fake.row(8 * n + i, {"ports": "+".join(of), "pl_mhz": mhz}, pl_mhz=mhz, ports=of)
        for n, of in enumerate(sets)
        for i, mhz in enumerate((50, 75, 100, 125, 150))
    ]
    shape = layout(fake.view(rows))
    assert [(p.title, len(p.rows)) for p in shape.panels] == [("1 port", 20), ("2 ports", 20)]
    assert len(layout(fake.view(rows[:35])).panels) == 1


def test_a_map_has_a_cell_for_each_point_in_the_colour_of_its_cause():
    view = fake.view()
    causes = {row.index: ("port full", "DRAM full")[row.index % 2] for row in view.rows}
    chart, lines = charts.causes(view, layout(view), causes)
    cells = chart.to_dict()["data"]["values"]
    assert {cell["index"]: cell["cause"] for cell in cells} == causes
    assert len({(cell["x"], cell["y"]) for cell in cells}) == len(view.rows)
    assert lines == len({cell["y"] for cell in cells})
    assert charts.causes(fake.view(view.rows[:4]), layout(view), causes) is None
    alone = fake.view([fake.row(i, {"pl_mhz": 50 + i}, pl_mhz=50 + i) for i in range(8)])
    assert charts.causes(alone, layout(alone), dict.fromkeys(range(8), "port full")) is None


def test_published_fitted_predicted_and_simulated_never_share_a_colour():
    shades = [charts.ACCENT, charts.PUBLISHED, charts.PREDICTED, charts.FITTED]
    assert len({*shades, *cause_colours.EVERY}) == 4 + len(cause_colours.EVERY)
    roles = [fake.row(i, published=fake.around(800.0), role=role)
             for i, role in enumerate(("fitted", "predicted"))]  # fmt: skip
    scale = charts.errors(roles).to_dict()["layer"][1]["encoding"]["color"]["scale"]
    assert dict(zip(scale["domain"], scale["range"], strict=True)) == {
        "predicted": charts.PREDICTED, "fitted": charts.FITTED,
    }  # fmt: skip
    sheet = (kit.ROOT / "src/axiometer/present/templates/report.css").read_text()
    assert f".box.predicted {{ background: {charts.PREDICTED}; }}" in sheet
    assert f".box.fitted {{ background: {charts.FITTED}; }}" in sheet


def test_ports_on_more_paths_are_found_where_there_are_some():
    assert fake.FACTS.spread(["HP0", "HP1"]) == ["HP0", "HP2"]
    assert fake.FACTS.spread(["HP2", "HP3"]) == ["HP0", "HP2"]
    assert fake.FACTS.spread(["HP0", "HP2"]) is None
    assert fake.FACTS.spread(["HP0", "HP1", "HP2", "HP3"]) is None
