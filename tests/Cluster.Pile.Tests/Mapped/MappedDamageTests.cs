using Cluster.Pile.Files;
using Cluster.Pile.Layout;
using Cluster.Pile.Mapped;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Acceptance case 29 for the files of a mapped folder: what is damaged is refused with its place, or the rest
/// is there.</summary>
[Trait("Case", "pile-29")]
public sealed class MappedDamageTests
{
    private const long Budget = 6 * Piles.MiB;

    public static TheoryData<string, int> SmallFiles
    {
        get
        {
            var data = new TheoryData<string, int>();
            foreach (var at in (int[])[0, 3, 8, 12, 17, 30, 45, 50, 60, 71])
                data.Add("header", at);
            foreach (var at in (int[])[0, 8, 12, 16, 24, 33, 50, 66, 100, 700])
                data.Add("state", at);
            foreach (var at in (int[])[0, 7, 8, 13, 17, 30, 60])
                data.Add("types", at);
            return data;
        }
    }

    [Theory]
    [MemberData(nameof(SmallFiles))]
    public void BitFlip_InASmallFile_IsRefused_WithTheFile(string file, int at)
    {
        using var folder = Filled(out _);
        var path = Path.Join(folder.FullName, file);
        var bytes = File.ReadAllBytes(path);
        bytes[at] ^= 0x10;
        File.WriteAllBytes(path, bytes);
        CheckRefused(folder, path, "byte");
        bytes[at] ^= 0x10;
        File.WriteAllBytes(path, bytes);
        folder.Attach(Budget).Dispose();
    }

    [Fact]
    [Trait("Case", "pile-30")]
    public void Disk_ThatFailsAtTheEnd_IsReportedOnce_AndTheFolderIsNotTrustedAgain()
    {
        for (var failing = 0; failing < 2; failing++)
        {
            using var folder = new TestFolder();
            var options = folder.Options();
            var flushes = 0;
            options.FlushToDisk = _ =>
            {
                if (flushes++ == failing)
                    throw new IOException("The device failed.");
            };
            var pile = new LocalPile(options);
            pile.Put("lost");
            var failure = Assert.Throws<PileFolderException>(pile.Dispose);
            Assert.Contains("The device failed.", failure.Message, StringComparison.Ordinal);
            pile.Dispose();
            failure = Assert.Throws<PileFolderException>(() => folder.Attach());
            Assert.Contains("nobody knows what it has", failure.Message, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("header")]
    [InlineData("state")]
    [InlineData("types")]
    [InlineData("intents")]
    [InlineData("blocks")]
    [InlineData("tables-1")]
    public void File_CutOrEmptiedOrGone_IsRefused_WithTheFile(string file)
    {
        using var folder = Filled(out _);
        var path = Path.Join(folder.FullName, file);
        var bytes = File.ReadAllBytes(path);
        foreach (var length in (int[])[bytes.Length - 1, bytes.Length / 2, 4, 0])
        {
            File.WriteAllBytes(path, bytes[..length]);
            CheckRefused(folder, path, "");
        }

        File.Delete(path);
        CheckRefused(folder, path, "");
        File.WriteAllBytes(path, new byte[bytes.Length]);
        if (file is not ("blocks" or "tables-1"))
            CheckRefused(folder, path, "byte");
    }

    /// <summary>After a clean shutdown nobody looks at slots, so the tables have to be right.</summary>
    [Fact]
    public void BitFlips_InTheTables_AreRefused()
    {
        using var folder = Filled(out _);
        var layout = new BlockLayout(Budget);
        foreach (var offset in (long[])[layout.EntriesOffset, layout.DescriptorsOffset, layout.BitmapsOffset])
        {
            var at = offset - MappedSource.TablesOffset(layout);
            for (var flip = 0; flip < 12; flip++)
            {
                using var copy = folder.CopyAsIfKilled();
                var path = Path.Join(copy.FullName, "tables-1");
                Flip(path, at + 8 + (flip * 5), flip % 8);
                CheckRefused(copy, path, "checksum");
            }
        }

        folder.Attach(Budget).Dispose();
    }

    [Fact]
    public void SlotHeaders_FlippedInBlocks_AfterADeath_AreRefusedWithTheBlock_OrTheRestIsThere()
    {
        using var folder = Filled(out var pointers, isClean: false);
        var seed = Environment.TickCount;
        var random = new Random(seed);
        for (var trial = 0; trial < 60; trial++)
        {
            using var copy = folder.CopyAsIfKilled();
            var victim = pointers[random.Next(pointers.Count)];
            var header = (victim.Granule - (1L << BlockLayout.GranulesPerBlockShift)) * PilePointer.GranuleBytes;
            Flip(copy.Blocks, header + random.Next(8), random.Next(8));
            try
            {
                using var pile = copy.Attach(Budget);
                CheckWhole(pile, pointers.Where(pointer => pointer != victim), seed);
            }
            catch (PileFolderException e)
            {
                Assert.Contains("block", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void ZeroPage_InBlocks_AfterADeath_IsRefused_OrTheRestIsThere()
    {
        using var folder = Filled(out var pointers, isClean: false);
        for (var page = 0; page < 40; page++)
        {
            using var copy = folder.CopyAsIfKilled();
            using (var file = File.OpenWrite(copy.Blocks))
            {
                file.Position = page * 4096;
                file.Write(new byte[4096]);
            }

            try
            {
                using var pile = copy.Attach(Budget);
                var at = (page * 4096L) + BlockLayout.BlockBytes;
                CheckWhole(pile, pointers.Where(pointer => IsAway(pointer, at)), 0);
            }
            catch (PileFolderException e)
            {
                Assert.Contains("block", e.Message, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    public void TypeLog_CutWithinTheLastRecord_WasBeingWritten_AndIsCutOff()
    {
        using var folder = new TestFolder();
        var path = Path.Join(folder.FullName, "types");
        TypeLog.Create(path);
        using (var log = new TypeLog(path))
        {
            log.Append([1, 2, 3]);
            log.Append([4, 5]);
        }

        var whole = File.ReadAllBytes(path);
        for (var length = whole.Length - 1; length >= whole.Length - TypeLog.HeadBytes - 2; length--)
        {
            File.WriteAllBytes(path, whole[..length]);
            using var log = new TypeLog(path);
            Assert.Equal([[1, 2, 3]], log.Records);
            log.Append([6]);
        }

        using var last = new TypeLog(path);
        Assert.Equal([[1, 2, 3], [6]], last.Records);
    }

    [Fact]
    public void Folder_OfABootBefore_IsRefused_UnlessItWasLeftClean()
    {
        using var folder = Filled(out var pointers, isClean: false);
        var path = Path.Join(folder.FullName, "state");
        var state = MappedState.Decode(File.ReadAllBytes(path), path);
        File.WriteAllBytes(path, (state with { Boot = Guid.NewGuid() }).Encode());
        CheckRefused(folder, folder.FullName, "machine");
        File.WriteAllBytes(path, state.Encode());
        folder.Attach(Budget).Dispose();
        state = MappedState.Decode(File.ReadAllBytes(path), path);
        Assert.True(state.IsClean);
        File.WriteAllBytes(path, (state with { Boot = Guid.NewGuid() }).Encode());
        using var pile = folder.Attach(Budget);
        CheckWhole(pile, pointers, 0);
    }

    private static void CheckRefused(TestFolder folder, string path, string place)
    {
        var failure = Assert.Throws<PileFolderException>(() => folder.Attach(Budget));
        Assert.True(failure.Message.Contains(path, StringComparison.Ordinal), failure.Message);
        Assert.True(failure.Message.Contains(place, StringComparison.Ordinal), failure.Message);
    }

    private static bool IsAway(PilePointer pointer, long at)
    {
        var start = pointer.Granule * PilePointer.GranuleBytes;
        return start + 2200 < at || start > at + 4096;
    }

    private static void CheckWhole(LocalPile pile, IEnumerable<PilePointer> pointers, int seed)
    {
        foreach (var pointer in pointers)
        {
            var bytes = pile.GetBytes(pointer);
            Assert.True(Piles.IsPayload(bytes, (ulong)bytes.Length), $"seed {seed}");
        }
    }

    private static void Flip(string path, long at, int bit)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
        file.Position = at;
        var found = file.ReadByte();
        file.Position = at;
        file.WriteByte((byte)(found ^ (1 << bit)));
    }

    // The seed of each payload is its length; a graph is there, so that there is a type.
    private static TestFolder Filled(out List<PilePointer> pointers, bool isClean = true)
    {
        var folder = new TestFolder();
        using var pile = folder.Attach(Budget);
        pile.Put(new KeyValuePair<Uri, Guid>(new Uri("http://example.org/"), Guid.Empty));
        pointers = [.. Enumerable.Range(1, 300).Select(i => PutOfLength(pile, 100 + (i % 12 * 150)))];
        foreach (var pointer in pointers.Where((_, i) => i % 50 == 49).ToList())
        {
            pile.Delete(pointer);
            pointers.Remove(pointer);
        }

        var left = isClean ? folder : folder.CopyAsIfKilled();
        pile.Dispose();
        if (!isClean)
            folder.Dispose();
        return left;
    }

    private static PilePointer PutOfLength(LocalPile pile, int length) =>
        pile.Put(Piles.Payload((ulong)length, length));
}
