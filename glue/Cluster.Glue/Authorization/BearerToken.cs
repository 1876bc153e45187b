using Cluster.Glue.Wire;

namespace Cluster.Glue.Authorization;

/// <summary>Reads and writes bearer tokens: in the HTTP header of requests, and in the header block of calls over
/// links, because such a call has no HTTP request. Never puts a token into the text of an error. Pure.</summary>
internal static class BearerToken
{
    /// <summary>The name of the HTTP header, as gRPC writes it.</summary>
    public const string HttpHeader = "authorization";

    private const string Scheme = "Bearer ";
    private const int LengthMax = 16 * 1024;

    // RFC 6750, section 2.1.
    private static readonly SearchValues<char> Allowed = SearchValues.Create(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~+/=");

    /// <summary>Whether the text is a token that can be sent.</summary>
    public static bool IsToken(string token) =>
        token.Length is > 0 and <= LengthMax && !token.AsSpan().ContainsAnyExcept(Allowed);

    /// <summary>The value of the HTTP header.</summary>
    public static string ToHttp(string token) => Scheme + token;

    /// <summary>The message about a text that is no token; it does not show the text.</summary>
    public static string ProblemOf(string source) =>
        $"{source} gave no bearer token: it has 1 to {LengthMax} letters, digits and characters of -._~+/=";

    /// <summary>The token in the header block of a call. Null: the block has none.</summary>
    public static string? In(ReadOnlySpan<byte> headers)
    {
        var token = headers.IsEmpty ? default : HeaderBlock.Find(headers, HeaderBlock.Authorization);
        return token.IsEmpty ? null : Encoding.UTF8.GetString(token);
    }

    /// <summary>Returns a header block with the token added.</summary>
    public static byte[] AddTo(ReadOnlySpan<byte> headers, string token)
    {
        var all = new WireBuffer(256, int.MaxValue);
        all.WriteBytes(headers);
        HeaderBlock.WriteText(all, HeaderBlock.Authorization, token);
        var bytes = all.WrittenSpan.ToArray();
        all.Reset();
        return bytes;
    }

    /// <summary>Returns a header block without its token, for a request that has the token in its own header.</summary>
    public static byte[] RemoveFrom(ReadOnlySpan<byte> headers)
    {
        var rest = new WireBuffer(256, int.MaxValue);
        var reader = new WireReader(headers);
        var start = 0;
        while (HeaderBlock.TryRead(ref reader, out var entry))
        {
            var end = headers.Length - reader.Remaining;
            if (!entry.IsNamed(HeaderBlock.Authorization))
                rest.WriteBytes(headers[start..end]);
            start = end;
        }

        var bytes = rest.WrittenSpan.ToArray();
        rest.Reset();
        return bytes;
    }
}
