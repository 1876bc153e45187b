using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;

namespace Cluster.Pile.Tests.Tables;

public sealed class RecordTablesTests
{
    [Fact]
    public void GetOrCreate_OfAKnownName_GivesTheSameTable()
    {
        using var pile = Records.CreatePile();
        var people = new RecordTableOptions { Name = "people", KeyForm = "integer" };
        var first = pile.Records.GetOrCreate(people);
        Assert.Same(first, pile.Records.GetOrCreate(people));
        Assert.NotSame(first, pile.Records.GetOrCreate(people with { Kind = RecordTableKind.Cells }));
        Assert.NotSame(first, pile.Records.GetOrCreate(people with { Name = "others" }));
        var wrong = Assert.Throws<InvalidOperationException>(
            () => pile.Records.GetOrCreate(people with { KeyForm = "string" }));
        Assert.Contains("people", wrong.Message, StringComparison.Ordinal);
        Assert.Throws<InvalidOperationException>(() => pile.Records.GetOrCreate(people with { MayForget = true }));
    }

    [Fact]
    public void GetOrCreate_WithValuesOfAnotherForm_IsRefusedWithBothNamed()
    {
        using var pile = Records.CreatePile();
        var people = new RecordTableOptions { Name = "people", KeyForm = "int64", ValueForm = "Person" };
        pile.Records.GetOrCreate(people);
        var wrong = Assert.Throws<InvalidOperationException>(
            () => pile.Records.GetOrCreate(people with { ValueForm = "Animal" }));
        Assert.Contains("Person", wrong.Message, StringComparison.Ordinal);
        Assert.Contains("Animal", wrong.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Export_OfTables_IsRestoredAsTheSame()
    {
        using var pile = Records.CreatePile();
        pile.Records.GetOrCreate(new RecordTableOptions { Name = "a", KeyForm = "x", LimitBytes = 5 << 20 });
        pile.Records.GetOrCreate(new RecordTableOptions
        {
            Name = "b",
            Kind = RecordTableKind.Cells,
            ValueForm = "y",
            MayForget = true,
            FloorBytes = 7,
            MaxAge = TimeSpan.FromHours(1),
            SlidingExpiration = TimeSpan.FromMinutes(1),
            TracksAge = true,
        });
        using var other = Records.CreatePile();
        Restored.Into(other, pile.Records.Export(), []);
        Assert.Equal(
            pile.Records.All.Select(store => (store.Number, store.Options)),
            other.Records.All.Select(store => (store.Number, store.Options)));
        Assert.Equal(pile.Records.All[0].Hash.OfInteger(7), other.Records.All[0].Hash.OfInteger(7));
    }

    [Fact]
    public void Decode_OfBytesThatAreCutOffOrTooMany_IsRefused()
    {
        using var pile = Records.CreatePile();
        pile.Records.GetOrCreate(new RecordTableOptions { Name = "a", KeyForm = "x" });
        var exported = pile.Records.Export();
        for (var length = 0; length < exported.Length; length++)
            Assert.Throws<InvalidDataException>(() => RecordCatalog.Decode(exported.AsSpan(0, length)));
        Assert.Throws<InvalidDataException>(() => RecordCatalog.Decode([.. exported, 0]));
    }
}
