using System.Text.Json;
using System.Text.Json.Serialization;

namespace Cluster.Benchmarks.Harness;

/// <summary>One printed figure; immutable. The property order is the order on the line.</summary>
/// <param name="Area">The row's area.</param>
/// <param name="Name">The row's name.</param>
/// <param name="Size">The size it was measured at.</param>
/// <param name="Value">The measured value; <c>null</c> when the row was left out.</param>
/// <param name="Unit">Its unit.</param>
/// <param name="Against">The rival or bound.</param>
/// <param name="Must">The Must, already scaled.</param>
/// <param name="Goal">The Goal, already scaled.</param>
/// <param name="Scale">The scale; 1 where the figure is not scaled.</param>
/// <param name="Ok">Whether the Must is met.</param>
/// <param name="Memory">Whether memory was touched before it was timed; left out where that does not matter.</param>
public sealed record Figure(
    string Area,
    string Name,
    long Size,
    double? Value,
    string Unit,
    string Against,
    double? Must,
    double? Goal,
    double Scale,
    bool Ok,
    [property: JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)] string? Memory)
{
    private static readonly JsonSerializerOptions Format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.Never,
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>The figure of a row that was measured.</summary>
    /// <param name="row">The row.</param>
    /// <param name="value">The value in its unit.</param>
    /// <param name="size">The size it was measured at.</param>
    /// <param name="scale">The machine's scale, used only for absolute figures.</param>
    public static Figure Measured(BenchmarkRow row, double value, long size, double scale)
    {
        ArgumentNullException.ThrowIfNull(row);
        return new Figure(
            row.Area,
            row.Name,
            size,
            double.IsFinite(value) ? Round(value) : null,
            row.Unit,
            row.Against,
            Round(row.Scaled(row.Must, scale)),
            Round(row.Scaled(row.Goal, scale)),
            row.Kind == FigureKind.Plain ? 1 : Round(scale)!.Value,
            row.IsMetBy(value, scale),
            row.Memory);
    }

    /// <summary>The figure of a row that nobody measured: no value, and not ok.</summary>
    /// <param name="row">The row.</param>
    public static Figure LeftOut(BenchmarkRow row)
    {
        ArgumentNullException.ThrowIfNull(row);
        return new Figure(row.Area, row.Name, 0, null, row.Unit, row.Against, row.Must, row.Goal, 1, false, null);
    }

    /// <summary>The figure as one line of JSON.</summary>
    public string ToJson() => JsonSerializer.Serialize(this, Format);

    // Four significant digits: more would pretend a precision that no run has.
    private static double? Round(double? value) => value is { } known && double.IsFinite(known) && known != 0
        ? double.Parse(known.ToString("G4", System.Globalization.CultureInfo.InvariantCulture),
            System.Globalization.CultureInfo.InvariantCulture)
        : value;
}
