using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Writes and reads one change of the year in a time zone as the number that <see cref="TimeZoneRules"/>
/// describes.</summary>
internal readonly struct TransitionTimeCodec : IValueCodec<TimeZoneInfo.TransitionTime>
{
    public static int BytesMin => sizeof(long);

    public static void Describe(StepList steps) => steps.Bytes(sizeof(long));

    public static void Write(SlimWriter writer, TimeZoneInfo.TransitionTime value) =>
        writer.WriteRaw(TimeZoneRules.NumberOf(value));

    // Zero stands for the default value, which has no month and which no factory method can create.
    public static TimeZoneInfo.TransitionTime Read(SlimReader reader)
    {
        var number = reader.ReadRaw<long>();
        try
        {
            return number == 0 ? default : TimeZoneRules.Change(number);
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("The parts of a change in a time zone do not go together.", e);
        }
    }
}
