using Cluster.Slim.Layouts;

namespace Cluster.Slim.Codecs;

/// <summary>The identifier of a zone that the system knows by the same rules; made-up zones are refused.</summary>
internal readonly struct TimeZoneCodec : ILeafCodec<TimeZoneInfo>
{
    private const int IdLengthMax = 64;

    public static void Describe(StepList steps) => steps.Text();

    public static void Write(SlimWriter writer, TimeZoneInfo value)
    {
        if (Find(value.Id) is not { } same || !same.HasSameRules(value))
            throw Throw.NotSupported(typeof(TimeZoneInfo), $"{value.Id} is not a zone of the system.");
        writer.WriteString(value.Id);
    }

    public static TimeZoneInfo Read(SlimReader reader)
    {
        TimeZoneInfo? found = Find(reader.ReadString() ?? "");
        if (found is null)
            Throw.Malformed("A time zone is not known here.");
        return found!;
    }

    private static TimeZoneInfo? Find(string id)
    {
        if (id == TimeZoneInfo.Utc.Id)
            return TimeZoneInfo.Utc;
        return IsPlain(id) && TimeZoneInfo.TryFindSystemTimeZoneById(id, out TimeZoneInfo? zone) ? zone : null;
    }

    // The identifier becomes part of a file name on some systems; nothing in it may lead out of the folder.
    private static bool IsPlain(string id) =>
        id.Length is > 0 and <= IdLengthMax && char.IsAsciiLetter(id[0])
        && !id.Contains("..", StringComparison.Ordinal)
        && id.All(static c => char.IsAsciiLetterOrDigit(c) || " _+-./()".Contains(c, StringComparison.Ordinal));
}
