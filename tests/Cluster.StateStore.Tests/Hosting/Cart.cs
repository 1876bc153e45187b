namespace Cluster.StateStore.Tests.Hosting;

/// <summary>A value as users write it: no attributes, private fields, a reference to another object.</summary>
public sealed class Cart
{
    private readonly List<Line> _lines = [];

    public IReadOnlyList<Line> Lines => _lines;

    public string Owner { get; set; } = "";

    public object? Extra { get; set; }

    public Cart With(string sku, int count)
    {
        _lines.Add(new Line(sku, count));
        return this;
    }

    public sealed record Line(string Sku, int Count);
}
