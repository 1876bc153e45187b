namespace Cluster.Benchmarks.Harness;

/// <summary>One row of the table of figures to reach, as it stands in <c>rows.json</c> and in
/// docs/benchmarks.md.</summary>
/// <param name="Area">The area that measures it.</param>
/// <param name="Name">The row's name, unique in its area.</param>
/// <param name="Unit">The unit of value, Must and Goal; <c>x</c> for a ratio.</param>
/// <param name="Against">The rival in the same run, or what the bound is.</param>
/// <param name="Kind">Whether the machine's speed scales the bounds.</param>
/// <param name="Sense">Which side of the bounds is good.</param>
/// <param name="Must">The bound to meet; <c>null</c> for a row that is only reported.</param>
/// <param name="Goal">The bound to aim for, if there is one.</param>
/// <param name="QuickSize">How many objects, calls or bytes quick mode works on.</param>
/// <param name="FullSize">The same in full mode: the design's size.</param>
/// <param name="Memory">Whether memory was touched before it was timed; <c>null</c> where that does not matter.</param>
/// <param name="ScaledBy">Which loop gives the scale of an absolute figure.</param>
public sealed record BenchmarkRow(
    string Area,
    string Name,
    string Unit,
    string Against,
    FigureKind Kind,
    FigureSense Sense,
    double? Must,
    double? Goal,
    long QuickSize,
    long FullSize,
    string? Memory = null,
    FigureScale ScaledBy = FigureScale.Processor)
{
    /// <summary>Measures the machine's scale for this row; 1 for a row that is not scaled.</summary>
    public double MeasureScale() => (Kind, ScaledBy) switch
    {
        (FigureKind.Plain, _) => 1,
        (_, FigureScale.Memory) => MemoryLoop.MeasureScale(),
        _ => ReferenceLoop.MeasureScale(),
    };

    /// <summary>Scales a bound to the machine: times grow with a slow machine, rates shrink.</summary>
    /// <param name="bound">Must or Goal.</param>
    /// <param name="scale">How much slower a step is here than where the bounds were taken.</param>
    public double? Scaled(double? bound, double scale) => Kind switch
    {
        FigureKind.Time => bound * scale,
        FigureKind.Rate => bound / scale,
        _ => bound,
    };

    /// <summary>Whether a value meets the Must; a row without one is met by being measured.</summary>
    /// <param name="value">The measured value, in the row's unit.</param>
    /// <param name="scale">The machine's scale at that moment.</param>
    public bool IsMetBy(double value, double scale)
    {
        if (!double.IsFinite(value))
            return false;

        return Scaled(Must, scale) is not { } must || (Sense == FigureSense.AtMost ? value <= must : value >= must);
    }
}
