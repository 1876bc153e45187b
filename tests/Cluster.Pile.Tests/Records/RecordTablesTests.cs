using Cluster.Pile.Records;

namespace Cluster.Pile.Tests.Records;

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
    public void Export_OfTables_IsImportedAsTheSame()
    {
        using var pile = Records.CreatePile();
        pile.Records.GetOrCreate(new RecordTableOptions { Name = "a", KeyForm = "x", LimitBytes = 5 << 20 });
        pile.Records.GetOrCreate(new RecordTableOptions { Name = "b", Kind = RecordTableKind.Cells, MayForget = true });
        using var other = Records.CreatePile();
        other.Records.Import(pile.Records.Export());
        Assert.Equal(
            pile.Records.All.Select(store => (store.Number, store.Options)),
            other.Records.All.Select(store => (store.Number, store.Options)));
        Assert.Equal(pile.Records.All[0].Hash.OfInteger(7), other.Records.All[0].Hash.OfInteger(7));
    }

    [Fact]
    public void Import_OfBytesThatAreCutOff_IsRefused()
    {
        using var pile = Records.CreatePile();
        pile.Records.GetOrCreate(new RecordTableOptions { Name = "a", KeyForm = "x" });
        var exported = pile.Records.Export();
        for (var length = 0; length < exported.Length; length++)
        {
            using var other = Records.CreatePile();
            Assert.Throws<InvalidDataException>(() => other.Records.Import(exported.AsSpan(0, length)));
        }
    }

    [Fact]
    public void Rebuild_FromTheBlocksAlone_FindsEveryRecord()
    {
        using var pile = Records.CreatePile(128 * Piles.MiB);
        var store = pile.Records.Create();
        var random = new Random(9);
        var model = new Dictionary<long, int>();
        for (var operation = 0; operation < 60_000; operation++)
        {
            long id = random.Next(20_000);
            if (random.Next(4) == 0)
            {
                Records.Remove(store, id);
                model.Remove(id);
                continue;
            }

            model[id] = random.Next(400);
            Records.Put(store, id, Piles.Payload((ulong)(id * 1000) + (ulong)model[id], model[id]));
        }

        store.Clear();
        Assert.Equal(RecordStatus.Missing, Records.Get(store, model.Keys.First(), out _));
        pile.Records.Rebuild();
        Assert.Equal(model.Count, store.Count);
        foreach (var (id, length) in model)
            Records.CheckValue(store, id, Piles.Payload((ulong)(id * 1000) + (ulong)length, length));
        RecordValidator.Check(pile, store);
        Assert.Equal(RecordStatus.Inserted, Records.Put(store, -1, "new"u8));
    }
}
