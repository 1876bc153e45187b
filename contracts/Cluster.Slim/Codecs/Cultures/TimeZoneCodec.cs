using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Writes and reads a time zone. A zone with the rules of the machine's zone of the same identifier travels as
/// that identifier, any other zone as its names and rules. The framework's text form of a zone loses parts of
/// rules.</summary>
internal readonly struct TimeZoneCodec : ILeafCodec<TimeZoneInfo>
{
    private const int IdLengthMax = 64;

    public static void Describe(StepList steps) => steps.Text().Text().Text().Text().Items(typeof(long));

    public static void Write(SlimWriter writer, TimeZoneInfo value)
    {
        var isOfSystem = Find(value.Id) is { } same && same.HasSameRules(value);
        var numbers = isOfSystem ? [] : TimeZoneRules.NumbersOf(value);
        if (!isOfSystem && !Build(value.Id, NamesOf(value), numbers).HasSameRules(value))
            throw Throw.NotSupported(typeof(TimeZoneInfo), $"{value.Id} has rules that cannot be told apart here.");
        writer.WriteString(value.Id);
        foreach (var name in isOfSystem ? [null, null, null] : NamesOf(value))
            writer.WriteString(name);
        writer.WriteVar((uint)numbers.Length);
        foreach (var number in numbers)
            writer.WriteRaw(number);
    }

    public static TimeZoneInfo Read(SlimReader reader)
    {
        var id = reader.ReadString() ?? "";
        string?[] names = [reader.ReadString(), reader.ReadString(), reader.ReadString()];
        var count = reader.ReadCount(sizeof(long));
        reader.Charge(32L * count);
        var numbers = new long[count];
        for (var i = 0; i < numbers.Length; i++)
            numbers[i] = reader.ReadRaw<long>();
        if (numbers.Length == 0)
            return ReadOfSystem(id);
        try
        {
            return Build(id, names, numbers);
        }
        catch (Exception e) when (e is ArgumentException or InvalidTimeZoneException)
        {
            throw Throw.Failed("The rules of a time zone do not go together.", e);
        }
    }

    private static TimeZoneInfo ReadOfSystem(string id)
    {
        var found = Find(id);
        if (found is null)
            Throw.Malformed("A time zone is not known here.");
        return found!;
    }

    private static string?[] NamesOf(TimeZoneInfo zone) => [zone.DisplayName, zone.StandardName, zone.DaylightName];

    private static TimeZoneInfo Build(string id, string?[] names, long[] numbers) =>
        TimeZoneInfo.CreateCustomTimeZone(
            id, new TimeSpan(numbers[0]), names[0], names[1], names[2], TimeZoneRules.Build(numbers.AsSpan(1)));

    private static TimeZoneInfo? Find(string id)
    {
        if (id == TimeZoneInfo.Utc.Id)
            return TimeZoneInfo.Utc;
        return IsPlain(id) && TimeZoneInfo.TryFindSystemTimeZoneById(id, out var zone) ? zone : null;
    }

    // On some systems the identifier becomes part of a file name. It must not lead out of the folder of zones.
    private static bool IsPlain(string id) =>
        id.Length is > 0 and <= IdLengthMax && char.IsAsciiLetter(id[0])
        && !id.Contains("..", StringComparison.Ordinal)
        && id.All(static c => char.IsAsciiLetterOrDigit(c) || " _+-./()".Contains(c, StringComparison.Ordinal));
}
