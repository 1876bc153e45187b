using System.Text.Json;
using System.Text.Json.Serialization;

namespace Cluster.Benchmarks.Harness;

/// <summary>The checked-in table of figures to reach; immutable once read.</summary>
public sealed class BenchmarkTable
{
    private static readonly JsonSerializerOptions Format = new()
    {
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
        RespectRequiredConstructorParameters = true,
        Converters = { new JsonStringEnumConverter(JsonNamingPolicy.CamelCase, allowIntegerValues: false) },
    };

    private BenchmarkTable(IReadOnlyList<BenchmarkRow> rows) => Rows = rows;

    /// <summary>Every row, in the file's order.</summary>
    public IReadOnlyList<BenchmarkRow> Rows { get; }

    /// <summary>The areas that have rows.</summary>
    public IEnumerable<string> Areas => Rows.Select(row => row.Area).Distinct();

    /// <summary>Reads the table that was built with this program.</summary>
    public static BenchmarkTable Load() => Parse(File.ReadAllText(Path.Combine(AppContext.BaseDirectory, "rows.json")));

    /// <summary>Reads a table; throws when two rows share area and name.</summary>
    /// <param name="json">The table's text.</param>
    public static BenchmarkTable Parse(string json)
    {
        var rows = JsonSerializer.Deserialize<BenchmarkRow[]>(json, Format) ?? [];
        var doubled = rows.GroupBy(row => (row.Area, row.Name)).FirstOrDefault(group => group.Count() > 1);
        return doubled is null
            ? new BenchmarkTable(rows)
            : throw new FormatException($"Row {doubled.Key.Area}/{doubled.Key.Name} is there twice.");
    }

    /// <summary>The rows of one area.</summary>
    /// <param name="area">The area's name.</param>
    public IReadOnlyList<BenchmarkRow> RowsOf(string area) => [.. Rows.Where(row => row.Area == area)];
}
