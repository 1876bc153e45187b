using Cluster.Slim.Hosting;
using Cluster.StateStore.Engine.Folders;
using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Tests.Engine.Folders;

/// <summary>Fixes the bytes in docs/formats/node-folder.md.</summary>
[Trait("Case", "cluster-mapped")]
public sealed class NodeFolderFormatTests : IDisposable
{
    private const ulong Binding = 0x0102030405060708;

    private static readonly FolderOwner Owner =
        new(new Guid("11111111-2222-3333-4444-555555555555"), 300, 0x1112131415161718, "n1") { Binding = Binding };

    private readonly string _folder = Directory.CreateTempSubdirectory("cluster-folder-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void Owner_HasTheseBytes()
    {
        var bytes = Owner.Encode();
        Assert.Equal(
            "01" + "11111111222233334444555555555555" + "AC02" + "1817161514131211" + "0807060504030201" + "026E31",
            Convert.ToHexString(bytes));
        Assert.Equal(Owner, FolderOwner.Decode(bytes));
        for (var length = 0; length < bytes.Length; length++)
            Assert.Throws<StateFormatException>(() => FolderOwner.Decode(bytes.AsSpan(0, length)));
        bytes[0] = 2;
        Assert.Throws<StateFormatException>(() => FolderOwner.Decode(bytes));
    }

    [Fact]
    public void Owner_OfAnotherFolder_IsNamedWithBothValues()
    {
        Assert.Null(Owner.FindDifference(Owner with { Binding = 1 }));
        var other = new Guid("99999999-2222-3333-4444-555555555555");
        Check(Owner with { ClusterId = other }, "99999999222233334444555555555555", "11111111222233334444555555555555");
        Check(Owner with { PartitionCount = 64 }, "64 partitions", "300");
        Check(Owner with { HashSeed = 1 }, "0000000000000001", "1112131415161718");
        Check(Owner with { NodeName = "n2" }, "node 'n2'", "'n1'");

        static void Check(FolderOwner found, string its, string own)
        {
            var text = Owner.FindDifference(found);
            Assert.Contains(its, text, StringComparison.Ordinal);
            Assert.Contains(own, text, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Marks_HaveTheseBytes()
    {
        var path = Path.Combine(_folder, "marks");
        MarkFile.MakeWhereNeeded(path, Binding, partitionCount: 2);
        using (var memory = new MappedMarkMemory(path))
        {
            var marks = new ReplicaMarks(memory, MarkFile.HeaderWords, partitionCount: 2, Binding);
            marks.Set(new PartitionId(1), new BaseMark(EntryId.Of(3, 1), 2));
        }

        var content = "0100000000030000" + "0200000000000000";
        var hashed = Convert.FromHexString(content + "0100000000000000");
        var check = BitConverter.GetBytes(XxHash3.Hash(hashed, Binding));
        Assert.Equal(
            Convert.ToHexString("CNODEMK1"u8) + "0100000002000000" + "0807060504030201" + new string('0', 96)
                + content + Convert.ToHexString(check) + new string('0', 48),
            Convert.ToHexString(File.ReadAllBytes(path)));
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));
    }

    [Fact]
    public void MakeWhereNeeded_FileIsOfThisPileOrNot_KeepsOrReplacesIt()
    {
        var path = Path.Combine(_folder, "marks");
        MarkFile.MakeWhereNeeded(path, Binding, partitionCount: 2);
        using (var memory = new MappedMarkMemory(path))
            new ReplicaMarks(memory, MarkFile.HeaderWords, 2, Binding).Set(default, new BaseMark(EntryId.Of(1, 1), 0));
        var before = File.ReadAllBytes(path);
        MarkFile.MakeWhereNeeded(path, Binding, partitionCount: 2);
        Assert.Equal(before, File.ReadAllBytes(path));
        MarkFile.MakeWhereNeeded(path, Binding + 1, partitionCount: 2);
        Assert.Equal(24 + (2 * 48), File.ReadAllBytes(path).Length);
        Assert.NotEqual(before, File.ReadAllBytes(path));
        File.WriteAllBytes(path, before[..^1]);
        MarkFile.MakeWhereNeeded(path, Binding, partitionCount: 2);
        Assert.Equal(new byte[2 * 48], File.ReadAllBytes(path)[24..]);
    }
}
