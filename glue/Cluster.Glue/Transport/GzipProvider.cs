using System.IO.Compression;
using Grpc.Net.Compression;

namespace Cluster.Glue.Transport;

/// <summary>gzip for gRPC with a limit for the expanded bytes, because gRPC's own provider expands without a limit.
/// Immutable.</summary>
/// <param name="expandedBytesMax">The largest expanded message, in bytes.</param>
internal sealed class GzipProvider(int expandedBytesMax) : ICompressionProvider
{
    /// <summary>A smaller message fits one network packet anyway, and gzip's own bytes use up what it saves.</summary>
    public const int WorthwhileBytes = 1024;

    /// <summary>The name of the compression in gRPC's headers.</summary>
    public const string Name = "gzip";

    /// <summary>The metadata that tells the gRPC client how to compress a call. It is not sent.</summary>
    public const string RequestHeader = "grpc-internal-encoding-request";

    public string EncodingName => Name;

    public Stream CreateCompressionStream(Stream stream, CompressionLevel? compressionLevel) =>
        new GZipStream(stream, compressionLevel ?? CompressionLevel.Fastest, leaveOpen: true);

    public Stream CreateDecompressionStream(Stream stream) => new BoundedGzipStream(stream, expandedBytesMax);
}
