using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Fields.Fixed;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Net;

/// <summary>Writes and reads a cookie through its public properties. Its time of creation does not travel, nor whether
/// a container chose its domain, path and port: these have no setters.</summary>
internal readonly struct CookieCodec : ILeafCodec<Cookie>
{
    private const int MoreBytes = 128;
    private const int Discard = 1;
    private const int HttpOnly = 2;
    private const int Secure = 4;
    private const int Known = 7;

    public static void Describe(StepList steps) =>
        steps.Text().Text().Text().Text().Text().Text().Text().Bytes(1 + sizeof(int) + sizeof(long));

    public static void Write(SlimWriter writer, Cookie value)
    {
        writer.WriteString(value.Name);
        writer.WriteString(value.Value);
        writer.WriteString(value.Path);
        writer.WriteString(value.Domain);
        writer.WriteString(value.Port);
        writer.WriteString(value.Comment);
        writer.WriteString(value.CommentUri?.OriginalString);
        writer.WriteByte((byte)((value.Discard ? Discard : 0) | (value.HttpOnly ? HttpOnly : 0)
            | (value.Secure ? Secure : 0)));
        writer.WriteRaw(value.Version);
        DateTimeKindBits.Put(ref writer.Reserve(DateTimeKindBits.Bytes), value.Expires);
    }

    public static Cookie Read(SlimReader reader)
    {
        reader.Charge(MoreBytes);
        var texts = new string?[7];
        for (var i = 0; i < texts.Length; i++)
            texts[i] = reader.ReadString();
        int flags = reader.ReadByte();
        if ((flags & ~Known) != 0)
            Throw.Malformed("A cookie has unknown settings.");
        var version = reader.ReadRaw<int>();
        var expires = DateTimeKindBits.Get(ref reader.Take(DateTimeKindBits.Bytes));
        try
        {
            return Build(texts, flags, version, expires);
        }
        catch (Exception e) when (e is CookieException or ArgumentException or UriFormatException)
        {
            throw Throw.Failed("The parts of a cookie are refused by it.", e);
        }
    }

    // An empty text is not set, because a cookie remembers whether its domain, path and port were set.
    private static Cookie Build(string?[] texts, int flags, int version, DateTime expires)
    {
        Cookie cookie = new();
        if (texts[0] is { Length: > 0 } name)
            cookie.Name = name;
        cookie.Value = texts[1];
        if (texts[2] is { Length: > 0 } path)
            cookie.Path = path;
        if (texts[3] is { Length: > 0 } domain)
            cookie.Domain = domain;
        if (texts[4] is { Length: > 0 } port)
            cookie.Port = port;
        cookie.Comment = texts[5];
        cookie.CommentUri = texts[6] is { } uri ? new Uri(uri, UriKind.RelativeOrAbsolute) : null;
        cookie.Discard = (flags & Discard) != 0;
        cookie.HttpOnly = (flags & HttpOnly) != 0;
        cookie.Secure = (flags & Secure) != 0;
        cookie.Version = version;
        cookie.Expires = expires;
        return cookie;
    }
}
