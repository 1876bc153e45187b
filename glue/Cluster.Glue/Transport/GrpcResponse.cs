using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using Cluster.Contracts;
using Cluster.Glue.Calls;
using Cluster.Glue.Wire;

namespace Cluster.Glue.Transport;

/// <summary>Reads what an HTTP response says in gRPC's terms: whether it is one at all, and its status. Pure.</summary>
internal static class GrpcResponse
{
    /// <summary>Throws unless messages follow: another HTTP status or media type, or a trailers-only answer.</summary>
    public static void CheckHeaders(HttpResponseMessage response)
    {
        // A trailers-only answer carries its status in the response headers.
        if (ReadStatus(response.Headers) is { } status && status.Status != GrpcStatus.Ok)
            throw status;
        if (response.StatusCode != HttpStatusCode.OK)
        {
            int code = (int)response.StatusCode;
            throw new GrpcStatusException(GrpcStatuses.OfHttp(code), $"the server answered HTTP {code}")
            {
                HttpStatus = code,
            };
        }

        string? mediaType = response.Content.Headers.ContentType?.MediaType;
        if (mediaType is null || !mediaType.StartsWith(GlueWire.ContentType, StringComparison.OrdinalIgnoreCase))
        {
            throw new GrpcStatusException(
                GrpcStatus.Unknown, $"the server answered with content type '{LogText.Clean(mediaType ?? "")}'")
            {
                HttpStatus = (int)response.StatusCode,
            };
        }
    }

    /// <summary>How the server compresses what it sends; null: not at all.</summary>
    public static string? EncodingOf(HttpResponseMessage response)
        => response.Headers.TryGetValues(GrpcEncoding.Header, out IEnumerable<string>? values) ? values.First() : null;

    /// <summary>The status at the end of the stream; null means OK.</summary>
    public static GrpcStatusException? ReadEnd(HttpResponseMessage response)
    {
        GrpcStatusException? status = ReadStatus(response.TrailingHeaders) ?? ReadStatus(response.Headers);
        if (status is null)
            return new GrpcStatusException(GrpcStatus.Unknown, "the server ended the stream without grpc-status");
        return status.Status == GrpcStatus.Ok ? null : status;
    }

    private static GrpcStatusException? ReadStatus(HttpHeaders headers)
    {
        if (!headers.TryGetValues(GrpcStatus.StatusHeader, out IEnumerable<string>? values))
            return null;
        if (!int.TryParse(values.First(), NumberStyles.None, CultureInfo.InvariantCulture, out int status))
            status = GrpcStatus.Unknown;
        string message = headers.TryGetValues(GrpcStatus.MessageHeader, out IEnumerable<string>? messages)
            ? LogText.Clean(Uri.UnescapeDataString(messages.First()), GlueLimits.ExceptionTextMax)
            : $"grpc-status {status}";
        return new GrpcStatusException(status, message) { IsNotStarted = headers.Contains(GlueWire.NotStartedHeader) };
    }
}
