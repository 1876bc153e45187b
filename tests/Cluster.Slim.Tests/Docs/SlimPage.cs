using System.Runtime.Serialization;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Tests.Docs;

// <snippet:types>
public sealed class Order(int id)
{
    private readonly List<Line> _lines = [];

    public int Id { get; } = id;

    public Customer? Customer { get; set; }

    public IReadOnlyList<Line> Lines => _lines;

    public void Add(Line line) => _lines.Add(line);
}

public sealed record Line(string Sku, decimal Price);

public sealed class Customer
{
    public required string Name { get; init; }

    public List<Order> Orders { get; } = [];
}
// </snippet:types>

// <snippet:shapes>
public interface IShape;

public sealed record Circle(double Radius) : IShape;

public sealed record Note(string Text);

public sealed class Drawing
{
    public List<IShape> Shapes { get; } = [];

    public object? Tag { get; set; }

    public Stream? Source { get; set; }
}
// </snippet:shapes>

// <snippet:codec>
public readonly record struct Money(long Cents, string Currency);

public sealed class MoneyCodec : SlimCodec<Money>
{
    public override void Write(SlimWriter writer, Money value)
    {
        writer.Write(value.Cents);
        writer.Write(value.Currency);
    }

    public override Money Create(SlimReader reader) => new(reader.Read<long>(), reader.Read<string>());
}
// </snippet:codec>

// <snippet:object-codec>
public sealed class Topic(string name)
{
    public string Name { get; } = name;

    public List<Topic> Related { get; } = [];
}

public sealed class TopicCodec : SlimCodec<Topic>
{
    public override int Version => 2;                       // raise it when the written form changes

    public override void Write(SlimWriter writer, Topic value) => writer.Write(value.Name);

    public override Topic Create(SlimReader reader) => new(reader.Read<string>());

    public override void WriteContent(SlimWriter writer, Topic value)
    {
        writer.WriteCount(value.Related.Count);
        foreach (var topic in value.Related)
            writer.Write(topic);
    }

    public override void ReadContent(SlimReader reader, Topic value)
    {
        var count = reader.ReadCount(elementBytesMin: 1);   // refuses counts that the message cannot hold
        reader.Charge(8L * count);                          // memory about to be allocated
        for (var i = 0; i < count; i++)
            value.Related.Add(reader.Read<Topic>());
    }
}
// </snippet:object-codec>

// <snippet:comparer>
public sealed class ByLength : IEqualityComparer<string>
{
    public bool Equals(string? x, string? y) => x?.Length == y?.Length;

    public int GetHashCode(string text) => text.Length;
}
// </snippet:comparer>

// <snippet:callbacks>
public sealed class Session
{
    public string User { get; set; } = "";

    [field: NonSerialized]
    public Dictionary<string, object> Cache { get; private set; } = [];

    [OnDeserialized]
    private void Restore(StreamingContext context) => Cache = [];
}
// </snippet:callbacks>

// <snippet:methods>
public static class Prices
{
    public static decimal Net(decimal price) => price;

    public static decimal Gross(decimal price) => price * 1.19m;
}

public sealed class Rule
{
    public required Func<decimal, decimal> Price { get; init; }
}
// </snippet:methods>

// <snippet:cart>
public sealed class Cart                                    // was Shop.Basket in the assembly Shop
{
    public long Items { get; set; }                         // was int Count

    public string? Voucher { get; set; }                    // is new
}
// </snippet:cart>
