using Cluster.Nodes.Stores;
using Cluster.Nodes.Stores.Files;

namespace Cluster.Nodes.Tests.Stores.Files;

/// <summary>A store file has the bytes that docs/formats/file-store.md describes, and the store reads no other
/// format.</summary>
public sealed class StoreFileFormatTests
{
    private const string Golden =
        "436C7353746F7265" + "0100" + "0200" + "03000000" + "00112233445566778899AABBCCDDEEFF" + "2A00000000000000" + "010203";

    private static readonly StoreFile Sample =
        new(StoreFileKind.Table, new Guid("00112233-4455-6677-8899-aabbccddeeff"), 42, new byte[] { 1, 2, 3 });

    [Fact]
    public void Encode_Sample_IsTheGoldenBytes()
    {
        var bytes = StoreFileFormat.Encode(Sample);

        Assert.Equal(Golden, Convert.ToHexString(bytes[..^StoreFileFormat.ChecksumBytes]));
        Assert.Equal(StoreFileFormat.HeaderBytes + 3 + StoreFileFormat.ChecksumBytes, bytes.Length);
    }

    [Fact]
    public void Decode_Encoded_IsTheSameFile()
    {
        var bytes = StoreFileFormat.Encode(Sample);
        var found = StoreFileFormat.Decode(bytes, StoreFileKind.Table, "x");

        Assert.Equal((Sample.Kind, Sample.ClusterId, Sample.Stamp), (found.Kind, found.ClusterId, found.Stamp));
        Assert.Equal(Sample.Payload.ToArray(), found.Payload.ToArray());
        Assert.Equal(
            (Sample.ClusterId, 42L), StoreFileFormat.DecodeHeader(bytes.AsSpan(0, StoreFileFormat.HeaderBytes), "x"));
    }

    [Fact]
    public void Decode_NewerFormat_NamesBothVersions()
    {
        var bytes = StoreFileFormat.Encode(Sample);
        bytes[8] = 2;

        var failure = Assert.Throws<ClusterStoreException>(() => StoreFileFormat.Decode(bytes, StoreFileKind.Table, "x"));
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
        Assert.Contains("format 2", failure.Message, StringComparison.Ordinal);
        Assert.Contains("format 1", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Decode_OtherKind_IsForeign()
    {
        var bytes = StoreFileFormat.Encode(Sample);

        var failure = Assert.Throws<ClusterStoreException>(() => StoreFileFormat.Decode(bytes, StoreFileKind.Meta, "x"));
        Assert.Equal(ClusterStoreError.Incompatible, failure.Kind);
    }
}
