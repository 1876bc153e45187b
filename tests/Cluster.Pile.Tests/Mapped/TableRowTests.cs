using Cluster.Pile.Layout;
using Cluster.Pile.Mapped;
using Cluster.Pile.Slabs;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Acceptance case 29 for the rows of the tables of a mapped folder after a death, when nothing else vouches
/// for them: each has a check, also that of a block that was never used.</summary>
[Trait("Case", "pile-29")]
public sealed class TableRowTests
{
    private const long Budget = 6 * Piles.MiB;
    private const int PageBytes = 4096;
    private const int EntryBits = SlabEntry.WrapsShift;
    private const int HighWaterBits = 32;

    [Fact]
    public void Row_WithAnyBitChanged_IsRefusedWithItsBlock()
    {
        using var folder = Killed(Budget, out var pointers, out var retired);
        var layout = new BlockLayout(Budget);
        foreach (var block in (long[])[SlabTable.BlockOf(pointers[0].Granule), retired, layout.BlockCount])
        {
            var entry = layout.EntriesOffset + (block * BlockLayout.EntryBytes);
            var descriptor = layout.DescriptorsOffset + (block * BlockLayout.DescriptorBytes);
            for (var bit = 0; bit < EntryBits; bit++)
                CheckFlip(entry + (bit / 8), bit % 8, block);
            for (var bit = 0; bit < HighWaterBits; bit++)
            {
                CheckFlip(descriptor + (bit / 8), bit % 8, block);
                CheckFlip(descriptor + SlabTable.ChecksAt + (bit / 8), bit % 8, block);
            }
        }

        CheckWhole(folder, Budget, pointers);

        void CheckFlip(long offset, int bit, long block)
        {
            var path = Tables(folder);
            Change(path, offset - MappedSource.TablesOffset(layout), bytes => bytes[0] ^= (byte)(1 << bit), 1);
            CheckRefused(folder, Budget, block);
            Change(path, offset - MappedSource.TablesOffset(layout), bytes => bytes[0] ^= (byte)(1 << bit), 1);
        }
    }

    /// <summary>Counts, lists and neighbours; a run says how long it is by its entries.</summary>
    [Fact]
    public void Rest_OfADescriptor_WithAnyBitChanged_IsMadeAnew()
    {
        using var folder = Killed(Budget, out var pointers, out var unused);
        var layout = new BlockLayout(Budget);
        var blocks = pointers.Select(pointer => SlabTable.BlockOf(pointer.Granule)).Distinct().Append(unused).ToList();
        for (var bit = 64; bit < SlabTable.ChecksAt * 8; bit += 3)
        {
            using var copy = folder.CopyAsIfKilled();
            foreach (var block in blocks)
            {
                var descriptor = layout.DescriptorsOffset + (block * BlockLayout.DescriptorBytes);
                var at = descriptor + (bit / 8) - MappedSource.TablesOffset(layout);
                Change(Tables(copy), at, bytes => bytes[0] ^= (byte)(1 << (bit % 8)), 1);
            }

            CheckWhole(copy, Budget, pointers);
        }
    }

    /// <summary>Below 32 MiB a page has all that could tell that blocks are in use.</summary>
    [Theory]
    [InlineData(PileOptions.MinBudgetBytes)]
    [InlineData(Budget)]
    [InlineData(20 * Piles.MiB)]
    [InlineData(40 * Piles.MiB)]
    public void Page_OfZeros_InTheTables_IsRefused_OrEverythingIsThere(long budget)
    {
        using var folder = Killed(budget, out var pointers, out _);
        var bytes = File.ReadAllBytes(Tables(folder));
        var layout = new BlockLayout(budget);
        var (refused, whole) = (0, 0);
        for (var page = 0; page < bytes.Length; page += PageBytes)
        {
            using var copy = folder.CopyAsIfKilled();
            Change(Tables(copy), page, Array.Clear, Math.Min(PageBytes, bytes.Length - page));
            var hasRows = page + PageBytes > layout.DescriptorsOffset - MappedSource.TablesOffset(layout)
                && page < layout.BitmapsOffset - MappedSource.TablesOffset(layout);
            try
            {
                CheckWhole(copy, budget, pointers);
                Assert.False(hasRows, $"The page at {page} is not missed.");
                whole++;
            }
            catch (PileFolderException e)
            {
                Assert.Contains(Tables(copy), e.Message, StringComparison.Ordinal);
                Assert.Contains("block", e.Message, StringComparison.Ordinal);
                refused++;
            }
        }

        // Bitmaps are computed again.
        Assert.True(refused > 0 && whole > 0, $"{refused} refused, {whole} whole");
    }

    [Fact]
    public void Row_ThatIsAnothers_IsRefused()
    {
        using var folder = Killed(Budget, out var pointers, out _);
        var layout = new BlockLayout(Budget);
        var block = SlabTable.BlockOf(pointers[0].Granule);
        foreach (var other in (long[])[block + 1, layout.BlockCount])
        {
            using var copy = folder.CopyAsIfKilled();
            Copy(layout.EntriesOffset, BlockLayout.EntryBytes);
            Copy(layout.DescriptorsOffset, BlockLayout.DescriptorBytes);
            CheckRefused(copy, Budget, other);

            void Copy(long table, int rowBytes)
            {
                var row = File.ReadAllBytes(Tables(copy))
                    .AsSpan((int)(table + (block * rowBytes) - MappedSource.TablesOffset(layout)), rowBytes)
                    .ToArray();
                var to = table + (other * rowBytes) - MappedSource.TablesOffset(layout);
                Change(Tables(copy), to, bytes => row.CopyTo(bytes, 0), rowBytes);
            }
        }
    }

    /// <summary>Rows that the new budget does not have would be gone without a word.</summary>
    [Fact]
    public void Row_Damaged_IsRefused_BeforeTheBudgetChanges()
    {
        using var folder = Killed(Budget, out var pointers, out _);
        var layout = new BlockLayout(Budget);
        var block = layout.BlockCount;
        var at = layout.DescriptorsOffset + (block * BlockLayout.DescriptorBytes) - MappedSource.TablesOffset(layout);
        Change(Tables(folder), at, bytes => bytes[0] ^= 1, 1);
        CheckRefused(folder, PileOptions.MinBudgetBytes, block);
        CheckRefused(folder, 2 * Budget, block);
        Change(Tables(folder), at, bytes => bytes[0] ^= 1, 1);
        CheckWhole(folder, 2 * Budget, pointers);
    }

    [Fact]
    public void Check_IsNeverZero_AndNotThatOfAnotherRow()
    {
        var entry = default(SlabEntry).NextLife(SlabState.Slots, 7, 0, 1);
        var checks = new HashSet<uint>();
        for (long block = 1; block <= 1000; block++)
        {
            Assert.True(checks.Add(RowCheck.Of(block, default, 0)));
            Assert.True(checks.Add(RowCheck.Of(block, entry, 0)));
            Assert.True(checks.Add(RowCheck.Of(block, entry.Vacated(), 5)));
            Assert.True(checks.Add(RowCheck.Changing(block)));
        }

        Assert.DoesNotContain(0U, checks);
        var wrapped = new SlabEntry(entry.Word + SlabEntry.OneWrap);
        Assert.Equal(RowCheck.Of(1, entry, 0), RowCheck.Of(1, wrapped, 0));
    }

    private static string Tables(TestFolder folder) => Path.Join(folder.FullName, "tables-1");

    private static void CheckRefused(TestFolder folder, long budget, long block)
    {
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach(budget));
        Assert.Contains(Tables(folder), failure.Message, StringComparison.Ordinal);
        Assert.Contains($"block {block:N0} ", failure.Message, StringComparison.Ordinal);
    }

    private static void CheckWhole(TestFolder folder, long budget, List<PilePointer> pointers)
    {
        using var pile = folder.Attach(budget);
        Assert.All(pointers, pointer => Assert.True(Piles.IsPayload(pile.GetBytes(pointer), 7)));
        Assert.Equal(pointers.Count, pile.GetStatistics().Objects);
        PileValidator.Check(pile);
    }

    private static void Change(string path, long at, Action<byte[]> change, int count)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
        var bytes = new byte[count];
        file.Position = at;
        file.ReadExactly(bytes);
        change(bytes);
        file.Position = at;
        file.Write(bytes);
    }

    // Objects of many sizes; and a block that nothing is in any more, which has a high water.
    private static TestFolder Killed(long budget, out List<PilePointer> pointers, out long left)
    {
        using var folder = new TestFolder();
        using var pile = folder.Attach(budget);
        pointers = [.. Enumerable.Range(0, 200).Select(i => pile.Put(Piles.Payload(7, 20 + (i % 9 * 300))))];
        pointers.Add(pile.Put(Piles.Payload(7, 400_000)));
        var gone = pile.Put(new byte[100_000]);
        left = SlabTable.BlockOf(gone.Granule);
        Assert.True(pile.Delete(gone));
        pile.Compact();
        Assert.NotEqual(0U, pile.Context.Table.HighWater(left));
        return folder.CopyAsIfKilled();
    }
}
