using Cluster.Pile.Tables;
using Cluster.Pile.Tables.Records;
using Xunit.Abstractions;

namespace Cluster.Pile.Tests.Tables;

/// <summary>A table beside a dictionary: whatever is done to both, they agree.</summary>
public sealed class RecordFuzzTests(ITestOutputHelper output)
{
    [Theory]
    [InlineData(1, 200)]
    [InlineData(2, 20_000)]
    public void RandomOperations_AgreeWithADictionary(int salt, int keys)
    {
        var seed = Environment.TickCount ^ (salt << 20);
        output.WriteLine($"seed {seed}, {keys} keys");
        var random = new Random(seed);
        using var pile = Records.CreatePile(256 * Piles.MiB);
        var store = pile.Records.Create();
        var model = new Dictionary<long, (ulong Seed, int Length)>();
        for (var operation = 1; operation <= 200_000; operation++)
        {
            Step(store, model, random, random.Next(keys));
            if (operation % 50_000 == 0)
                CheckAll(pile, store, model);
        }

        CheckAll(pile, store, model);
    }

    private static void Step(
        RecordStore store, Dictionary<long, (ulong Seed, int Length)> model, Random random, long id)
    {
        var isKnown = model.TryGetValue(id, out var known);
        switch (random.Next(10))
        {
            case < 4:
                var next = ((ulong)random.NextInt64(), Length(random));
                var expected = isKnown ? RecordStatus.Replaced : RecordStatus.Inserted;
                Assert.Equal(expected, Records.Put(store, id, Piles.Payload(next.Item1, next.Item2)));
                model[id] = next;
                break;
            case < 7:
                var found = Records.Get(store, id, out var value);
                Assert.Equal(isKnown ? RecordStatus.Found : RecordStatus.Missing, found);
                Assert.True(!isKnown || (value.Length == known.Length && Piles.IsPayload(value, known.Seed)));
                break;
            case < 8:
                var kept = Records.Put(store, id, Piles.Payload(1, 10), RecordCondition.Absent);
                Assert.Equal(isKnown ? RecordStatus.Kept : RecordStatus.Inserted, kept);
                if (!isKnown)
                    model[id] = (1, 10);
                break;
            default:
                Assert.Equal(isKnown ? RecordStatus.Found : RecordStatus.Missing, Records.Remove(store, id));
                model.Remove(id);
                break;
        }
    }

    private static int Length(Random random) => (int)Math.Pow(2, random.NextDouble() * (random.Next(50) == 0 ? 15 : 9));

    private static void CheckAll(
        LocalPile pile, RecordStore store, Dictionary<long, (ulong Seed, int Length)> model)
    {
        Assert.Equal(model.Count, store.Count);
        foreach (var (id, (seed, length)) in model)
        {
            Assert.Equal(RecordStatus.Found, Records.Get(store, id, out var value));
            Assert.True(value.Length == length && Piles.IsPayload(value, seed));
        }

        RecordValidator.Check(pile, store);
    }
}
