using Cluster.Pile.Files;
using Cluster.Slim;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Acceptance case 32 for mapped folders: another budget, a type that is not there any more, and a disk
/// without room.</summary>
[Trait("Case", "pile-32")]
public sealed class MappedBudgetTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Budget_LargerAndSmallerAgain_KeepsObjectsAndRefusesStalePointers(bool isClean)
    {
        var folder = new TestFolder();
        var live = new List<PilePointer>();
        var stale = new List<PilePointer>();
        foreach (var budget in (long[])[8, 40, 12, 9, 64, 8])
        {
            using var pile = folder.Attach(budget * Piles.MiB);
            Assert.Equal(budget * Piles.MiB, pile.GetStatistics().BudgetBytes);
            Assert.All(live, pointer => Assert.True(Piles.IsPayload(pile.GetBytes(pointer), 5)));
            Assert.All(stale, pointer => Assert.False(pile.IsLive(pointer)));
            PileValidator.Check(pile);
            live.Add(pile.Put(Piles.Payload(5, 4000)));

            // Fills what the budget has, so that blocks that the next one does not have were in use.
            foreach (var pointer in Piles.FillUp(pile, 50_000))
            {
                Assert.True(pile.Delete(pointer));
                stale.Add(pointer);
            }

            pile.Compact();
            if (isClean)
                continue;
            var copy = folder.CopyAsIfKilled();
            pile.Dispose();
            folder.Dispose();
            folder = copy;
        }

        folder.Dispose();
    }

    [Fact]
    public void Budget_ThatDoesNotReachTheLastObject_IsRefused_WithWhatIsNeeded_AndChangesNothing()
    {
        using var folder = new TestFolder();
        List<PilePointer> pointers;
        using (var pile = folder.Attach(40 * Piles.MiB))
            pointers = [.. Enumerable.Range(0, 250).Select(_ => pile.Put(Piles.Payload(5, 100_000)))];
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach(20 * Piles.MiB));
        var digits = failure.Message.Split("must be ")[1].Split(' ')[0];
        var needed = long.Parse(digits, System.Globalization.NumberStyles.AllowThousands, null);
        Assert.InRange(needed, 250 * 100_000, 40 * Piles.MiB);
        using (var pile = folder.Attach(40 * Piles.MiB))
            Assert.All(pointers, pointer => Assert.True(Piles.IsPayload(pile.GetBytes(pointer), 5)));
        using var least = folder.Attach(needed);
        Assert.All(pointers, pointer => Assert.True(Piles.IsPayload(least.GetBytes(pointer), 5)));
    }

    [Fact]
    public void Types_AreThereInTheNextProcess_InTheirOrder()
    {
        using var folder = new TestFolder();
        PilePointer first, second;
        using (var pile = folder.Attach())
        {
            first = pile.Put(new Version(1, 2));
            second = pile.Put(new List<Uri> { new("http://example.org/") });
        }

        using (var pile = folder.Attach())
        {
            Assert.Equal(new Version(1, 2), pile.Get<Version>(first));
            pile.Put(first, new KeyValuePair<Guid, DateOnly>(Guid.Empty, DateOnly.MinValue));
        }

        using var again = folder.CopyAsIfKilled();
        using var last = again.Attach();
        Assert.Equal(Guid.Empty, last.Get<KeyValuePair<Guid, DateOnly>>(first).Key);
        Assert.Equal(new Uri("http://example.org/"), last.Get<List<Uri>>(second)[0]);
    }

    [Fact]
    public void Type_ThatIsNotThereAnyMore_IsRefusedAlone()
    {
        using var folder = new TestFolder();
        PilePointer lost, kept;
        using (var pile = folder.Attach())
        {
            lost = pile.Put(new Lost("before"));
            kept = pile.Put(new Kept("there"));
        }

        LoseType(Path.Join(folder.FullName, "types"), typeof(Lost));
        using var again = folder.Attach();
        var refused = Assert.Throws<SlimTypeNotAllowedException>(() => again.Get<Lost>(lost));
        Assert.Contains(typeof(Lost).FullName!, refused.Message, StringComparison.Ordinal);
        Assert.Equal(new Kept("there"), again.Get<Kept>(kept));
        var anew = again.Put(new Lost("anew"));
        Assert.Equal(new Lost("anew"), again.Get<Lost>(anew));
        again.Put(lost, new Lost("after"));
        Assert.Equal(new Lost("after"), again.Get<Lost>(lost));
    }

    // As the program would find it if the type had another name by now.
    private static void LoseType(string path, Type type)
    {
        List<byte[]> records;
        using (var log = new TypeLog(path))
            records = [.. log.Records];
        var name = Encoding.UTF8.GetBytes(type.FullName!);
        TypeLog.Create(path);
        using var written = new TypeLog(path);
        foreach (var record in records)
        {
            var at = record.AsSpan().IndexOf(name);
            if (at == sizeof(int))
                record[at + name.Length - 1] = (byte)'_';
            written.Append(record);
        }

        Assert.Contains(records, record => record.Contains((byte)'_'));
    }

    private sealed record Lost(string Name);

    private sealed record Kept(string Name);

    [Fact]
    public async Task Snapshot_OfAMappedPile_IsRestoredIntoMemory_AndNotIntoAFolder()
    {
        using var folder = new TestFolder();
        using var snapshots = new TestFolder();
        using var other = new TestFolder();
        using var pile = folder.Attach();
        var pointers = Enumerable.Range(0, 500).Select(i => pile.Put(Piles.Payload((ulong)i, i * 3))).ToList();
        await pile.SaveAsync(snapshots.FullName);
        using (var restored = await LocalPile.RestoreAsync(
            snapshots.FullName, new PileOptions { BudgetBytes = 32 * Piles.MiB }))
        {
            for (var i = 0; i < pointers.Count; i++)
                Assert.True(Piles.IsPayload(restored.GetBytes(pointers[i]), (ulong)i));
        }

        var failure = await Assert.ThrowsAsync<PileFolderException>(
            () => LocalPile.RestoreAsync(snapshots.FullName, other.Options()));
        Assert.Contains(other.FullName, failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Put_IntoAMappedPile_ThatIsFull_ThrowsAndChangesNothing()
    {
        using var folder = new TestFolder();
        using var pile = folder.Attach(6 * Piles.MiB);
        var pointers = Piles.FillUp(pile, 2000);
        var before = pile.GetStatistics();
        Assert.Throws<PileFullException>(() => pile.Put(pointers[3], new byte[60_000]));
        Assert.True(Piles.IsPayload(pile.GetBytes(pointers[3]), 3));
        Assert.Equal(before.Objects, pile.GetStatistics().Objects);
        Assert.True(pile.Delete(pointers[7]));
        pile.Put(pointers[3], Piles.Payload(3, 2000));
        Assert.True(Piles.IsPayload(pile.GetBytes(pointers[3]), 3));
    }
}
