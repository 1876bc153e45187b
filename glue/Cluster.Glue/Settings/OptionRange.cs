namespace Cluster.Glue.Settings;

/// <summary>Checks one option against its range, and describes a violation with its configuration path and remedy.
/// Pure.</summary>
internal static class OptionRange
{
    public static IEnumerable<string> Check(string path, long value, long lowest, long highest)
    {
        if (value < lowest || value > highest)
            yield return string.Create(
                CultureInfo.InvariantCulture, $"{path} is {value}; set it to a number from {lowest} to {highest}.");
    }

    public static IEnumerable<string> Check(string path, TimeSpan value, TimeSpan lowest, TimeSpan highest)
    {
        if (value < lowest || value > highest)
            yield return string.Create(
                CultureInfo.InvariantCulture, $"{path} is {value}; set it to a time from {lowest:c} to {highest:c}.");
    }

    public static IEnumerable<string> Check<T>(string path, T value)
        where T : struct, Enum
    {
        if (!Enum.IsDefined(value))
            yield return $"{path} is {value}; set it to one of {string.Join(", ", Enum.GetNames<T>())}.";
    }
}
