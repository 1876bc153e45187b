using Cluster.StateStore.Engine.Snapshots;
using Cluster.StateStore.Hosting.Formats;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;
using Cluster.StateStore.Protocol.Wire;

namespace Cluster.StateStore.Tests.Engine.Snapshots;

[Trait("Case", "cluster-snapshots")]
public sealed class SnapshotFilesTests : IDisposable
{
    private const int PartitionCount = 16;
    private static readonly PartitionId Partition = new(5);
    private static readonly EntryId First = EntryId.Of(2, 30);
    private static readonly EntryId Last = EntryId.Of(2, 33);

    private readonly string _folder = Directory.CreateTempSubdirectory("cluster-snapshots-").FullName;
    private readonly Guid _cluster = Guid.NewGuid();
    private readonly FormatWriter _body = new(capacity: 64);

    private string Path5 => Path.Combine(_folder, _cluster.ToString("N"), "n1", "00005.snapshot");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Read_WhatWasWritten_GivesTheSame()
    {
        using var files = Open();
        Assert.Null(files.Read(Partition, take: null));
        Write(files, Partition);
        var records = new List<RecordImage>();
        var clients = new List<RequestImage>();
        var mark = files.Read(Partition, content =>
        {
            records.AddRange(content.Records.Select(Copy));
            clients.AddRange(content.Requests);
            return true;
        });
        Assert.Equal(new SnapshotMark(First, Last, 99), mark);
        Assert.Equal(["a", "b", "c"], records.Select(record => Encoding.UTF8.GetString(record.Key.Bytes.Span)));
        Assert.Equal([1L, 2L, 3L], records.Select(record => (long)record.Value.Span[0]));
        Assert.Equal(7, Assert.Single(Assert.Single(clients).Answers).Sequence);
    }

    /// <summary>Every bit of the file is covered by a checksum, or the bit before it says what must be there.</summary>
    [Fact]
    [Trait("Case", "glue-55")]
    public void Read_AnyByteIsChangedOrTheFileEndsEarlier_IsRefused()
    {
        using var files = Open();
        Write(files, Partition);
        var whole = File.ReadAllBytes(Path5);
        for (var at = 0; at < whole.Length; at++)
        {
            var damaged = (byte[])whole.Clone();
            damaged[at] ^= 0x10;
            File.WriteAllBytes(Path5, damaged);
            Assert.Throws<StateFormatException>(() => files.Read(Partition, take: null));
            File.WriteAllBytes(Path5, whole[..at]);
            Assert.Throws<StateFormatException>(() => files.Read(Partition, take: null));
        }

        File.WriteAllBytes(Path5, [.. whole, .. whole]);
        Assert.Throws<StateFormatException>(() => files.Read(Partition, take: null));
    }

    [Fact]
    public void Read_FileOfAnotherPartitionOrCluster_IsRefused()
    {
        using var files = Open();
        Write(files, new PartitionId(6));
        File.Copy(Path5.Replace("00005", "00006", StringComparison.Ordinal), Path5);
        var mixed = Assert.Throws<StateFormatException>(() => files.Read(Partition, take: null));
        Assert.Contains("partition 6 in the place of 5", mixed.Message, StringComparison.Ordinal);

        using var others = SnapshotFiles.Open(Settings("n1"), Guid.NewGuid(), PartitionCount);
        Write(others, Partition);
        var foreign = Directory.EnumerateFiles(_folder, "00005.snapshot", SearchOption.AllDirectories)
            .Single(path => path != Path5);
        File.Copy(foreign, Path5, overwrite: true);
        Assert.Throws<StateFormatException>(() => files.Read(Partition, take: null));
    }

    [Fact]
    public void Write_NotCompleted_LeavesTheFileBeforeAndNothingElse()
    {
        using var files = Open();
        Write(files, Partition);
        using (files.Create(Partition, EntryId.Of(9, 9), _body))
        {
        }

        Assert.Equal(First, files.Read(Partition, take: null)?.First);
        Assert.False(File.Exists(Path5 + SnapshotWriter.NewEnding));

        // A process that was killed leaves such a file.
        File.WriteAllText(Path5 + SnapshotWriter.NewEnding, "cut off");
        Write(files, Partition);
        Assert.Equal(First, files.Read(Partition, take: null)?.First);
    }

    [Fact]
    public void Open_FolderOfALivingProcess_IsRefused()
    {
        using var files = Open();
        var refusal = Assert.Throws<IOException>(Open);
        Assert.Contains("two names", refusal.Message, StringComparison.Ordinal);
        using var other = SnapshotFiles.Open(Settings("n2"), _cluster, PartitionCount);
    }

    [Fact]
    public void Layouts_Written_AreReadAgain()
    {
        using var files = Open();
        Assert.Empty(files.ReadLayouts());
        files.WriteLayouts([(1u, new byte[][] { [1, 2], [3] }), (8u, [])], _body);
        var layouts = files.ReadLayouts();
        Assert.Equal([1u, 8u], layouts.Select(layout => layout.State));
        Assert.Equal([[1, 2], [3]], layouts[0].Descriptions);
        File.WriteAllBytes(Path.Combine(Path.GetDirectoryName(Path5)!, "layouts.snapshot"), [1, 2, 3]);
        Assert.Throws<StateFormatException>(() => files.ReadLayouts());
    }

    [Fact]
    public void SetAside_File_IsKeptUnderAnotherName()
    {
        using var files = Open();
        Assert.Null(files.SetAside(Partition));
        Write(files, Partition);
        var kept = files.SetAside(Partition);
        Assert.True(File.Exists(kept));
        Assert.Null(files.Read(Partition, take: null));
    }

    private SnapshotFiles Open() => SnapshotFiles.Open(Settings("n1"), _cluster, PartitionCount);

    private SnapshotSettings Settings(string node) => new(_folder, node, TimeSpan.FromMinutes(1));

    private void Write(SnapshotFiles files, PartitionId partition)
    {
        using var writer = files.Create(partition, First, _body);
        Add(SnapshotBlock.Records, () => RecordFormat.Write([Record("a", 1), Record("b", 2)], _body));
        Add(SnapshotBlock.Records, () => RecordFormat.Write([Record("c", 3)], _body));
        var client = new RequestImage(Guid.NewGuid(), 2, 3, [(7, new byte[] { 1 })]);
        Add(SnapshotBlock.Requests, () => RecordFormat.Write([client], _body));
        Add(SnapshotBlock.End, () =>
        {
            _body.UInt64(Last.Value);
            _body.Varint(99);
        });
        writer.Complete();

        void Add(SnapshotBlock kind, Action write)
        {
            _body.Clear();
            write();
            writer.Add(kind, _body);
        }
    }

    private static RecordImage Record(string key, byte value) =>
        new(new StateKey(1, Encoding.UTF8.GetBytes(key)), EntryId.Of(2, value), 0, new[] { value });

    private static RecordImage Copy(RecordImage record) =>
        record with { Key = record.Key.Copy(), Value = record.Value.ToArray() };
}
