using Microsoft.Extensions.Options;

namespace Cluster.Glue.Hosting;

/// <summary>Finds all problems of client options at once. Stateless.</summary>
internal sealed class GlueClientOptionsValidator : IValidateOptions<GlueClientOptions>
{
    public const string Section = "Glue:Client";

    private static readonly TimeSpan Day = GlueLimits.DeadlineHighest;
    private static readonly TimeSpan Minutes = TimeSpan.FromMinutes(10);

    public static IEnumerable<string> ProblemsOf(GlueClientOptions options)
        => OptionRange.Check($"{Section}:Transport", options.Transport)
            .Concat(OptionRange.Check(
                $"{Section}:DeadlineDefault", options.DeadlineDefault, TimeSpan.FromMilliseconds(1), Day))
            .Concat(OptionRange.Check(
                $"{Section}:ConnectTimeout", options.ConnectTimeout, TimeSpan.FromMilliseconds(10), Minutes / 2))
            .Concat(OptionRange.Check(
                $"{Section}:HeartbeatInterval", options.HeartbeatInterval, TimeSpan.FromMilliseconds(50), Minutes))
            .Concat(OptionRange.Check(
                $"{Section}:FrameBytesMax",
                options.FrameBytesMax,
                GlueLimits.FrameBytesLowest,
                GlueLimits.FrameBytesHighest))
            .Concat(OptionRange.Check(
                $"{Section}:CallsInFlightMax", options.CallsInFlightMax, 1, GlueLimits.CallsInFlightHighest))
            .Concat(OptionRange.Check(
                $"{Section}:SendQueueBytesMax",
                options.SendQueueBytesMax,
                GlueLimits.SendQueueBytesLowest,
                GlueLimits.SendQueueBytesHighest))
            .Concat(OptionRange.Check($"{Section}:BlockingCallsMax", options.BlockingCallsMax, 1, int.MaxValue))
            .Concat(options.TimeProvider is null ? [$"{Section}:TimeProvider is null; leave it at its default."] : []);

    public ValidateOptionsResult Validate(string? name, GlueClientOptions options)
    {
        List<string> problems = ProblemsOf(options).ToList();
        return problems.Count == 0 ? ValidateOptionsResult.Success : ValidateOptionsResult.Fail(problems);
    }
}
