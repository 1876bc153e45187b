using Cluster.Pile.Mapped;
using Cluster.Pile.Mapped.Intents;

namespace Cluster.Pile.Tests.Mapped;

/// <summary>Nothing in a mapped folder is purged, created again or cut because of a value that damage can
/// produce.</summary>
[Trait("Case", "repair-C9")]
public sealed class PurgeMarkTests
{
    private const int PurgeAt = 8;

    /// <summary>Every value that one flipped bit makes of the word, and some others, among them those of an earlier
    /// version.</summary>
    [Fact]
    public void PurgeWord_ThatNoPurgeWrote_IsRefused_AndEverythingIsThere()
    {
        using var folder = Killed(out var pointer);
        var intents = Path.Join(folder.FullName, "intents");
        var words = Enumerable.Range(0, 64).Select(bit => 1UL << bit)
            .Concat([3UL, ulong.MaxValue, UpdateIntents.Magic, UpdateIntents.PurgeMark]);
        foreach (var word in words)
        {
            Write(intents, PurgeAt, word);
            var refused = Assert.Throws<PileFolderException>(() => folder.Attach());
            Assert.Equal(intents, refused.Path);
            Assert.Contains("nothing was purged", refused.Message, StringComparison.Ordinal);
        }

        Write(intents, PurgeAt, 0);
        using var pile = folder.Attach();
        Assert.Equal("kept", pile.GetString(pointer));
    }

    [Fact]
    public void PurgeThatWasUnderWay_GoesOn_AndOneOfAnotherFolderDoesNot()
    {
        using var folder = Killed(out var pointer);
        using var copy = folder.CopyAsIfKilled();
        var path = Path.Join(copy.FullName, "header");
        var identity = MappedHeader.Decode(File.ReadAllBytes(path), path).Identity;
        var intents = Path.Join(copy.FullName, "intents");
        Write(intents, PurgeAt, UpdateIntents.PurgeMark);
        Write(intents, 24, UpdateIntents.PurgeCheckOf(identity + 1));
        Assert.Throws<PileFolderException>(() => copy.Attach());
        Write(intents, 24, UpdateIntents.PurgeCheckOf(identity));
        using (var pile = copy.Attach())
            Assert.Throws<InvalidPilePointerException>(() => pile.GetString(pointer));
        using var whole = folder.Attach();
        Assert.Equal("kept", whole.GetString(pointer));
    }

    [Fact]
    public void PurgeThatAViewRefused_IsNotUnderWay()
    {
        using var folder = new TestFolder();
        using var pile = folder.Attach();
        var pointer = pile.Put("kept");
        using (pile.OpenView(pointer))
            Assert.Throws<PileBusyException>(pile.Purge);

        using var copy = folder.CopyAsIfKilled();
        using var after = copy.Attach();
        Assert.Equal("kept", after.GetString(pointer));
    }

    /// <summary>A clean folder has nothing under way, so a mark in it is damage.</summary>
    [Fact]
    public void CleanFolder_WithAMarkOrAStage_IsRefused_AndStaysClean()
    {
        using var folder = new TestFolder();
        PilePointer pointer;
        using (var pile = folder.Attach())
            pointer = pile.Put("kept");
        var intents = Path.Join(folder.FullName, "intents");
        foreach (var (at, word) in ((int, ulong)[])[(PurgeAt, UpdateIntents.PurgeMark), (64, 2), (640, 1), (1280, 9)])
        {
            Write(intents, at, word);
            Assert.Throws<PileFolderException>(() => folder.Attach());
            Write(intents, at, 0);
        }

        var path = Path.Join(folder.FullName, "state");
        Assert.True(MappedState.Decode(File.ReadAllBytes(path), path).IsClean);
        using var whole = folder.Attach();
        Assert.Equal("kept", whole.GetString(pointer));
    }

    [Fact]
    public void Stage_ThatNoUpdateLeaves_IsRefused()
    {
        using var folder = Killed(out _);
        var intents = Path.Join(folder.FullName, "intents");
        Write(intents, 64 * 7, 4);
        var refused = Assert.Throws<PileFolderException>(() => folder.Attach());
        Assert.Contains("bytes 448..455", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>The header is written last, so a folder that has one is made.</summary>
    [Fact]
    public void MarkerOfTheMaking_InAWholeFolder_MakesNothingAnew()
    {
        using var folder = Killed(out var pointer);
        File.WriteAllBytes(Path.Join(folder.FullName, "making"), FolderMaking.Mark.ToArray());
        using (var pile = folder.Attach())
            Assert.Equal("kept", pile.GetString(pointer));
        Assert.False(File.Exists(Path.Join(folder.FullName, "making")));
    }

    [Fact]
    public void MarkerOfTheMaking_WithoutAHeader_CountsOnlyWithItsContent()
    {
        using var folder = Killed(out _);
        var marker = Path.Join(folder.FullName, "making");
        File.Delete(Path.Join(folder.FullName, "header"));
        var blocks = File.ReadAllBytes(folder.Blocks);
        foreach (var content in (byte[][])[[], [0], new byte[FolderMaking.Mark.Length]])
        {
            File.WriteAllBytes(marker, content);
            var refused = Assert.Throws<PileFolderException>(() => folder.Attach());
            Assert.Equal(marker, refused.Path);
            Assert.Equal(blocks, File.ReadAllBytes(folder.Blocks));
        }

        File.WriteAllBytes(marker, FolderMaking.Mark.ToArray());
        using var anew = folder.Attach();
        Assert.Equal(0, anew.GetStatistics().Objects);
    }

    /// <summary>The intents say that a type is missing, so the rest of its record is not cut off.</summary>
    [Fact]
    public void TypeLog_ThatLacksARecord_IsRefused_AndNotCut()
    {
        using var folder = new TestFolder();
        var types = Path.Join(folder.FullName, "types");
        using (var pile = folder.Attach())
            pile.Put(new KeyValuePair<Uri, Guid>(new Uri("http://example.org/"), Guid.Empty));
        using (var file = File.OpenWrite(types))
            file.SetLength(file.Length - 3);
        var bytes = File.ReadAllBytes(types);
        Assert.Throws<PileFolderException>(() => folder.Attach());
        Assert.Equal(bytes, File.ReadAllBytes(types));
    }

    private static void Write(string path, long at, ulong word)
    {
        using var file = new FileStream(path, FileMode.Open, FileAccess.Write, FileShare.ReadWrite);
        file.Position = at;
        file.Write(BitConverter.GetBytes(word));
    }

    private static TestFolder Killed(out PilePointer pointer)
    {
        using var folder = new TestFolder();
        using var pile = folder.Attach();
        pointer = pile.Put("kept");
        return folder.CopyAsIfKilled();
    }
}
