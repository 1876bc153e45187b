using System.Globalization;
using System.Text;
using Cluster.Glue.Wire;
using Microsoft.AspNetCore.Http;

namespace Cluster.Glue.Transport;

/// <summary>
/// Writes gRPC statuses as Kestrel responses: in trailers after messages, in the headers when there are none. Pure.
/// </summary>
internal static class GrpcServerResponse
{
    /// <summary>
    /// What becomes of the answers to a request: what the server wants if its peer accepts that; the response says so.
    /// </summary>
    public static GlueCompression Agree(HttpContext context, GlueCompression wanted)
    {
        if (wanted == GlueCompression.None || !GrpcEncoding.AcceptsGzip(context.Request.Headers.GrpcAcceptEncoding))
            return GlueCompression.None;
        context.Response.Headers.GrpcEncoding = GrpcEncoding.Gzip;
        return wanted;
    }

    /// <summary>Ends a response with a status; null is OK.</summary>
    public static void End(HttpContext context, GrpcStatusException? status)
    {
        int code = status?.Status ?? GrpcStatus.Ok;
        HttpResponse response = context.Response;
        if (response.HasStarted || response.BodyWriter.UnflushedBytes > 0)
        {
            if (!response.SupportsTrailers())
                return;
            response.AppendTrailer(GrpcStatus.StatusHeader, code.ToString(CultureInfo.InvariantCulture));
            if (status is not null)
                response.AppendTrailer(GrpcStatus.MessageHeader, Escape(status.Message));
            return;
        }

        response.ContentType = GlueWire.ContentType;
        response.Headers[GrpcStatus.StatusHeader] = code.ToString(CultureInfo.InvariantCulture);
        if (status is not null)
            response.Headers[GrpcStatus.MessageHeader] = Escape(status.Message);
    }

    /// <summary>
    /// Percent-encodes as gRPC asks: printable ASCII but the percent sign stays, all else becomes UTF-8 bytes in hex.
    /// </summary>
    public static string Escape(string message)
    {
        var text = new StringBuilder(message.Length);
        foreach (byte one in Encoding.UTF8.GetBytes(message))
        {
            if (one is >= 0x20 and <= 0x7E and not (byte)'%')
                text.Append((char)one);
            else
                text.Append('%').Append(one.ToString("X2", CultureInfo.InvariantCulture));
        }

        return text.ToString();
    }
}
