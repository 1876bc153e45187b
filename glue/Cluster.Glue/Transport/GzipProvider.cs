using System.IO.Compression;
using Grpc.Net.Compression;

namespace Cluster.Glue.Transport;

/// <summary>gzip for gRPC, with a bound on what comes out: gRPC's own provider expands without limit.
/// Immutable.</summary>
/// <param name="expandedBytesMax">Most bytes of one message, expanded.</param>
internal sealed class GzipProvider(int expandedBytesMax) : ICompressionProvider
{
    /// <summary>Below that a message is hardly smaller than a packet, and gzip's own bytes eat what it saves.</summary>
    public const int WorthwhileBytes = 1024;

    /// <summary>The name of the compression in gRPC's headers.</summary>
    public const string Name = "gzip";

    /// <summary>The metadata by which gRPC's client is told what to compress a call with; it is not sent.</summary>
    public const string RequestHeader = "grpc-internal-encoding-request";

    public string EncodingName => Name;

    public Stream CreateCompressionStream(Stream stream, CompressionLevel? compressionLevel) =>
        new GZipStream(stream, compressionLevel ?? CompressionLevel.Fastest, leaveOpen: true);

    public Stream CreateDecompressionStream(Stream stream) => new BoundedGzipStream(stream, expandedBytesMax);
}
