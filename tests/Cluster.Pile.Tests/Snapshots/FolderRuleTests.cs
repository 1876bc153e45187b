using System.Runtime.Versioning;
using Cluster.Pile.Cells;
using Cluster.Pile.Tests.Mapped;
using Cluster.Testing;

namespace Cluster.Pile.Tests.Snapshots;

/// <summary>Mapped folders and folders of snapshots belong to one user: they are made with modes 0700 and 0600, and
/// refused when another user owns them or may write to them.</summary>
[SupportedOSPlatform("linux")]
[Trait("Case", "repair-A5")]
public sealed class FolderRuleTests
{
    private const UnixFileMode OwnFile = UnixFileMode.UserRead | UnixFileMode.UserWrite;
    private const UnixFileMode OwnFolder = OwnFile | UnixFileMode.UserExecute;
    private const UnixFileMode Readable = UnixFileMode.GroupRead | UnixFileMode.OtherRead;

    [RequiresUnixFact]
    public async Task NewFolders_AreForThisUserAlone_WithAllTheirFiles()
    {
        using var parent = new TestFolder();
        var (mapped, saved) = (Path.Join(parent.FullName, "a", "mapped"), Path.Join(parent.FullName, "saved"));
        using (var pile = new LocalPile(OptionsOf(mapped)))
        {
            pile.Put(new KeyValuePair<Uri, Guid>(new Uri("http://example.org/"), Guid.Empty));
            CellTable.GetOrCreate(pile, "cells").Save(1, 1, "cell"u8);
            await pile.SaveAsync(saved);
        }

        using (var again = new LocalPile(OptionsOf(mapped, budgetBytes: 64 * Piles.MiB)))
            await again.SaveAsync(saved);
        foreach (var folder in (string[])[mapped, saved])
            Assert.Equal(OwnFolder, File.GetUnixFileMode(folder));
        var files = Directory.GetFiles(mapped).Concat(Directory.GetFiles(saved)).ToList();
        Assert.Equal(9 + 5, files.Count);
        Assert.All(files, file => Assert.Equal(OwnFile, File.GetUnixFileMode(file)));
    }

    /// <summary>A user who may read a file may lock it, and so keep the next process from starting.</summary>
    [RequiresUnixFact]
    public async Task FilesOfAnEarlierVersion_LoseTheRightsOfOthers_AndStayInUse()
    {
        using var folder = new TestFolder();
        using var snapshots = new SnapshotDirectory();
        PilePointer pointer;
        using (var pile = folder.Attach())
        {
            pointer = pile.Put("kept");
            await pile.SaveAsync(snapshots.Path);
        }

        var files = Directory.GetFiles(folder.FullName).Concat(Directory.GetFiles(snapshots.Path)).ToList();
        files.ForEach(file => File.SetUnixFileMode(file, OwnFile | Readable));
        File.SetUnixFileMode(folder.FullName, OwnFolder | Readable);
        using (var pile = folder.Attach())
        {
            Assert.Equal("kept", pile.GetString(pointer));
            await pile.SaveAsync(snapshots.Path);
        }

        Assert.All(files, file => Assert.Equal(OwnFile, File.GetUnixFileMode(file)));
    }

    [RequiresUnixFact]
    public void MappedFolder_ThatOthersMayWriteTo_IsRefused_WithTheOption()
    {
        using var folder = new TestFolder();
        folder.Attach().Dispose();
        foreach (var mode in (UnixFileMode[])[UnixFileMode.GroupWrite, UnixFileMode.OtherWrite])
        {
            CheckRefused(folder, folder.FullName, () => File.SetUnixFileMode(folder.FullName, OwnFolder | mode));
            File.SetUnixFileMode(folder.FullName, OwnFolder);
            foreach (var file in Directory.GetFiles(folder.FullName))
            {
                CheckRefused(folder, file, () => File.SetUnixFileMode(file, OwnFile | mode));
                File.SetUnixFileMode(file, OwnFile);
            }
        }

        folder.Attach().Dispose();
    }

    [RequiresRootFact]
    public void MappedFolder_OfAnotherUser_IsRefused_WithTheOption()
    {
        using var folder = new TestFolder();
        folder.Attach().Dispose();
        foreach (var path in Directory.GetFiles(folder.FullName).Prepend(folder.FullName))
        {
            CheckRefused(folder, path, () => OtherUser.Own(path));
            OtherUser.Return(path);
        }

        folder.Attach().Dispose();
    }

    [RequiresUnixFact]
    public async Task Snapshots_ThatOthersMayWriteTo_AreRefused_WithTheOption() =>
        await CheckSnapshotsRefusedAsync(
            path => File.SetUnixFileMode(path, File.GetUnixFileMode(path) | UnixFileMode.OtherWrite),
            path => File.SetUnixFileMode(path, File.GetUnixFileMode(path) & ~UnixFileMode.OtherWrite));

    [RequiresRootFact]
    public async Task Snapshots_OfAnotherUser_AreRefused_WithTheOption() =>
        await CheckSnapshotsRefusedAsync(OtherUser.Own, OtherUser.Return);

    [RequiresUnixFact]
    public async Task SharedFolders_ThatAreAllowed_AreUsed_WithAWarningForEach()
    {
        using var folder = new TestFolder();
        using var snapshots = new SnapshotDirectory();
        using var warnings = new Warnings();
        File.SetUnixFileMode(folder.FullName, OwnFolder | UnixFileMode.OtherWrite);
        File.SetUnixFileMode(snapshots.Path, OwnFolder | UnixFileMode.GroupWrite);
        var options = OptionsOf(folder.FullName);
        options.AllowSharedFolder = true;
        using (var pile = new LocalPile(options))
        {
            pile.Put("shared");
            await pile.SaveAsync(snapshots.Path);
            await pile.SaveAsync(snapshots.Path);
        }

        Assert.Single(warnings.Of(folder.FullName));
        var warning = Assert.Single(warnings.Of(snapshots.Path));
        Assert.Contains(nameof(PileOptions.AllowSharedFolder), warning, StringComparison.Ordinal);
        Assert.Contains("mode 0720", warning, StringComparison.Ordinal);
        var restoring = SnapshotDirectory.Options();
        restoring.AllowSharedFolder = true;
        using var restored = await snapshots.RestoreAsync(restoring);
        Assert.Equal(1, restored.GetStatistics().Objects);
        Assert.Equal(2, warnings.Of(snapshots.Path).Count);
    }

    private static void CheckRefused(TestFolder folder, string path, Action share)
    {
        share();
        var refused = Assert.Throws<PileFolderException>(() => folder.Attach());
        Assert.Equal(path, refused.Path);
        Assert.Contains(nameof(PileOptions.AllowSharedFolder), refused.Message, StringComparison.Ordinal);
        Assert.Contains("chown", refused.Message, StringComparison.Ordinal);
    }

    private static async Task CheckSnapshotsRefusedAsync(Action<string> share, Action<string> unshare)
    {
        using var folder = new SnapshotDirectory();
        using (var pile = Piles.Create())
        {
            await pile.SaveAsync(folder.Path);
            var files = folder.Names.Select(name => Path.Join(folder.Path, name)).ToList();
            foreach (var path in files.Prepend(folder.Path))
            {
                share(path);
                var names = folder.Names;
                await CheckRefusedAsync(path, () => pile.SaveAsync(folder.Path));
                await CheckRefusedAsync(path, () => folder.RestoreAsync());
                Assert.Equal(names, folder.Names);
                unshare(path);
            }
        }

        (await folder.RestoreAsync()).Dispose();
    }

    private static async Task CheckRefusedAsync(string path, Func<Task> use)
    {
        var refused = await Assert.ThrowsAsync<PileSnapshotException>(use);
        Assert.Equal(PileSnapshotProblem.SharedFolder, refused.Problem);
        Assert.Equal(path, refused.File);
        Assert.Contains(nameof(PileOptions.AllowSharedFolder), refused.Message, StringComparison.Ordinal);
    }

    private static PileOptions OptionsOf(string folder, long budgetBytes = 32 * Piles.MiB) =>
        new() { BudgetBytes = budgetBytes, MappedFolder = folder };

    /// <summary>What is written to <see cref="Trace"/> while a test runs.</summary>
    private sealed class Warnings : TraceListener
    {
        private readonly Lock _gate = new();
        private readonly List<string> _lines = [];

        public Warnings() => Trace.Listeners.Add(this);

        public IReadOnlyList<string> Of(string path)
        {
            lock (_gate)
                return [.. _lines.Where(line => line.Contains(path, StringComparison.Ordinal))];
        }

        public override void Write(string? message)
        {
            // The source and the kind of the message, which comes on its own.
        }

        public override void WriteLine(string? message)
        {
            lock (_gate)
                _lines.Add(message ?? "");
        }

        protected override void Dispose(bool disposing)
        {
            Trace.Listeners.Remove(this);
            base.Dispose(disposing);
        }
    }
}
