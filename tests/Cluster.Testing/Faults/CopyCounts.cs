using Cluster.Nodes.Members;
using Microsoft.Extensions.DependencyInjection;

namespace Cluster.Testing.Faults;

/// <summary>How a node has got its copies since it started. Immutable.</summary>
/// <param name="Copies">The copies.</param>
/// <param name="Differences">Those of them that were only what had changed since an earlier life.</param>
/// <param name="Bytes">The bytes of keys, values and log entries that came.</param>
/// <param name="KeptBytes">The bytes of keys and values that did not have to come.</param>
public sealed record CopyCounts(long Copies, long Differences, long Bytes, long KeptBytes)
{
    /// <summary>Reads the counts of a node, in the form of <see cref="Parse"/>.</summary>
    /// <param name="services">The services of the host of the node.</param>
    public static string Read(IServiceProvider services)
    {
        var store = services.GetRequiredService<CurrentMemberRole>().Current?.Store.Describe();
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{store?.CopiesReceived}:{store?.DifferencesReceived}:{store?.CopyBytesReceived}:{store?.KeptBytesUsed}");
    }

    /// <summary>Reads what <see cref="Read"/> has written.</summary>
    /// <param name="text">The text.</param>
    public static CopyCounts Parse(string text)
    {
        ArgumentNullException.ThrowIfNull(text);
        long[] numbers = [.. text.Split(':').Select(part => long.Parse(part, CultureInfo.InvariantCulture))];
        return new CopyCounts(numbers[0], numbers[1], numbers[2], numbers[3]);
    }
}
