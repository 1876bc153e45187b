using Cluster.Slim.Codecs.Values;
using Cluster.Slim.Errors;
using Cluster.Slim.Layouts;
using Cluster.Slim.Messages;

namespace Cluster.Slim.Codecs.Cultures;

/// <summary>Writes and reads a rule of a time zone as the six numbers that <see cref="TimeZoneRules"/>
/// describes.</summary>
internal readonly struct AdjustmentRuleCodec : ILeafCodec<TimeZoneInfo.AdjustmentRule>
{
    public static void Describe(StepList steps) => steps.Bytes(TimeZoneRules.NumbersPerRule * sizeof(long));

    public static void Write(SlimWriter writer, TimeZoneInfo.AdjustmentRule value)
    {
        var numbers = TimeZoneRules.NumbersOf(value);
        if (!CanBuild(numbers, value))
        {
            throw Throw.NotSupported(
                typeof(TimeZoneInfo.AdjustmentRule),
                "it is one of the system's that the framework does not let anybody build; carry its TimeZoneInfo.");
        }

        foreach (var number in numbers)
            writer.WriteRaw(number);
    }

    public static TimeZoneInfo.AdjustmentRule Read(SlimReader reader)
    {
        var numbers = new long[TimeZoneRules.NumbersPerRule];
        for (var i = 0; i < numbers.Length; i++)
            numbers[i] = reader.ReadRaw<long>();
        try
        {
            return TimeZoneRules.Build(numbers)[0];
        }
        catch (ArgumentException e)
        {
            throw Throw.Failed("The parts of a rule of a time zone do not go together.", e);
        }
    }

    private static bool CanBuild(long[] numbers, TimeZoneInfo.AdjustmentRule value)
    {
        try
        {
            return TimeZoneRules.Build(numbers)[0].Equals(value);
        }
        catch (ArgumentException)
        {
            return false;
        }
    }
}
