using Cluster.Pile.Cells;
using Cluster.Pile.Layout;
using Cluster.Pile.Slabs;
using Cluster.Pile.Tests.Snapshots;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Acceptance case 29 for what objects and records have in them: a block that no pile has changed since its
/// checksum was taken is refused when something else did.</summary>
[Trait("Case", "pile-29")]
public sealed class MappedSumTests
{
    private const long Budget = 6 * Piles.MiB;

    // By seed: objects, one of them large, one with a body; and two cells, of which one is large.
    private static readonly int[] Lengths = [500, 20_000, 300_000, 3000, 600, 90_000];
    private static readonly int[] SeedsOfCells = [4, 5];

    [Fact]
    public void Payload_FlippedAfterACleanEnd_IsRefusedWithItsBlock_AndTheRestIsThereForWhoAsks()
    {
        using var folder = Filled(out var pointers);
        for (var seed = 0; seed < Lengths.Length; seed++)
        {
            using var copy = folder.CopyAsIfKilled();
            var block = Flip(copy, seed);
            CheckRefused(copy, block);

            // The first attempt has changed nothing.
            CheckRefused(copy, block);
            var options = copy.Options(Budget);
            options.MappedFolderCheck = PileFolderCheck.Tables;
            using var pile = new LocalPile(options);
            CheckPayloads(pile, pointers, except: seed);
        }
    }

    [Fact]
    public void Payload_FlippedAfterADeath_IsRefusedWithItsBlock_WhereThatProcessHadOnlyRead()
    {
        using var folder = Filled(out var pointers);
        using var pile = folder.Attach(Budget);
        CheckPayloads(pile, pointers);
        for (var seed = 0; seed < Lengths.Length; seed++)
        {
            using var copy = folder.CopyAsIfKilled();
            CheckRefused(copy, Flip(copy, seed));
        }
    }

    /// <summary>What the page says is left: nobody vouches for a block that the dead process had changed.</summary>
    [Fact]
    public void Payload_FlippedAfterADeath_IsNotNoticed_InABlockThatTheProcessHadChanged()
    {
        using var folder = Filled(out var pointers);
        using var pile = folder.Attach(Budget);
        pile.Put(pointers[0], Piles.Payload(0, Lengths[0]));
        using (var copy = folder.CopyAsIfKilled())
        {
            Flip(copy, 0);
            using var accepted = copy.Attach(Budget);
            CheckPayloads(accepted, pointers, except: 0);
        }

        using (var copy = folder.CopyAsIfKilled())
            CheckRefused(copy, Flip(copy, 2));
    }

    [Fact]
    public void Views_AndLocks_OfADeadProcess_AreNoDamage()
    {
        using var folder = Filled(out var pointers);
        using var pile = folder.Attach(Budget);
        using var view = pile.OpenView(pointers[0]);
        using var large = pile.OpenView(pointers[2]);
        using var again = pile.OpenView(pointers[2]);
        var space = pile.Context.Space;
        Assert.True(space.TryResolve(pointers[1], out var place));
        Assert.True(space.TryLock(place, space.Header(place)));
        using (var copy = folder.CopyAsIfKilled())
        using (var attached = copy.Attach(Budget))
            CheckPayloads(attached, pointers);

        foreach (var seed in (int[])[0, 1, 2])
        {
            using var copy = folder.CopyAsIfKilled();
            CheckRefused(copy, Flip(copy, seed));
        }

        space.SetState(place, space.Header(place), Cluster.Pile.Layout.SlotState.Live);
    }

    [Fact]
    public async Task Blocks_HaveTheirChecksums_UntilTheyAreChanged_AlsoBesideASnapshot()
    {
        using var folder = Filled(out var pointers);
        using var snapshots = new SnapshotDirectory();
        using var pile = folder.Attach(Budget);
        var table = pile.Context.Table;
        Assert.All(Kept(table), block => Assert.NotEqual(0U, table.Sum(block)));
        CheckPayloads(pile, pointers);
        Assert.All(Kept(table), block => Assert.NotEqual(0U, table.Sum(block)));
        pile.Put(pointers[0], Piles.Payload(0, 17));
        Assert.Equal(0U, table.Sum(BlockOf(pointers[0])));
        var save = pile.SaveAsync(snapshots.Path);
        Assert.True(pile.Delete(pointers[1]));
        await save;
        Assert.Equal(0U, table.Sum(BlockOf(pointers[1])));
        Assert.NotEqual(0U, table.Sum(BlockOf(pointers[2])));
        Assert.True(pile.Delete(pointers[2]));
        Assert.Equal(0U, table.Sum(BlockOf(pointers[2])));
        Assert.NotEqual(0U, table.Sum(BlockOf(pointers[3])));
    }

    [Fact]
    public void Tables_CheckedAlone_LeaveBlocksWithoutChecksums_UntilSomebodyWantsThem()
    {
        using var folder = Filled(out var pointers);
        var options = folder.Options(Budget);
        options.MappedFolderCheck = PileFolderCheck.Tables;
        for (var attempt = 0; attempt < 2; attempt++)
        {
            using var pile = new LocalPile(options);
            CheckPayloads(pile, pointers);
            Assert.All(Kept(pile.Context.Table), block => Assert.Equal(0U, pile.Context.Table.Sum(block)));
        }

        folder.Attach(Budget).Dispose();
        using var checking = folder.Attach(Budget);
        Assert.All(Kept(checking.Context.Table), block => Assert.NotEqual(0U, checking.Context.Table.Sum(block)));
    }

    [Fact]
    public void Check_ThatIsNone_IsRefused()
    {
        var options = new PileOptions { MappedFolderCheck = (PileFolderCheck)2 };
        var failure = Assert.Throws<ArgumentException>(() => new LocalPile(options));
        Assert.Contains(nameof(PileOptions.MappedFolderCheck), failure.Message, StringComparison.Ordinal);
    }

    private static IEnumerable<long> Kept(SlabTable table)
    {
        for (long block = 1; block <= table.BlockCount; block++)
        {
            if (table.Entry(block).IsKept)
                yield return block;
        }
    }

    private static long BlockOf(PilePointer pointer) => SlabTable.BlockOf(pointer.Granule);

    private static void CheckRefused(TestFolder folder, long block)
    {
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach(Budget));
        Assert.Contains(folder.Blocks, failure.Message, StringComparison.Ordinal);
        Assert.Contains($"block {block:N0}, ", failure.Message, StringComparison.Ordinal);
        Assert.Contains("checksum", failure.Message, StringComparison.Ordinal);
    }

    // In the middle of a payload; gives the block.
    private static long Flip(TestFolder folder, int seed)
    {
        var payload = Piles.Payload((ulong)seed, Lengths[seed]);
        using var file = new FileStream(folder.Blocks, FileMode.Open, FileAccess.ReadWrite);
        var bytes = new byte[file.Length];
        file.ReadExactly(bytes);
        var at = bytes.AsSpan().IndexOf(payload.AsSpan(payload.Length / 2));
        Assert.True(at > 0, "The payload is there.");
        file.Position = at;
        file.WriteByte((byte)(bytes[at] ^ 4));
        return (at / BlockLayout.BlockBytes) + 1;
    }

    private static void CheckPayloads(LocalPile pile, PilePointer[] pointers, int except = -1)
    {
        var cells = CellTable.GetOrCreate(pile, "cells");
        for (var seed = 0; seed < Lengths.Length; seed++)
        {
            if (seed == except)
                continue;
            byte[]? bytes;
            if (SeedsOfCells.Contains(seed))
                Assert.True(cells.TryLoad(seed, out bytes, out _));
            else
                bytes = pile.GetBytes(pointers[seed]);
            Assert.Equal(Piles.Payload((ulong)seed, Lengths[seed]), bytes);
        }
    }

    private static TestFolder Filled(out PilePointer[] pointers)
    {
        var folder = new TestFolder();
        using var pile = folder.Attach(Budget);
        var cells = CellTable.GetOrCreate(pile, "cells");
        pointers = new PilePointer[Lengths.Length];
        for (var seed = 0; seed < Lengths.Length; seed++)
        {
            var payload = Piles.Payload((ulong)seed, Lengths[seed]);
            if (SeedsOfCells.Contains(seed))
                cells.Save(seed, 1, payload);
            else if (seed == 3)
                pile.Put(pointers[seed] = pile.Put("grows"u8), payload);
            else
                pointers[seed] = pile.Put(payload);
        }

        return folder;
    }
}
