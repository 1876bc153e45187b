namespace Cluster.SystemTests.Faults;

/// <summary>A time in which operations on a partition were tried and none was answered. Immutable.</summary>
/// <param name="Partition">The partition.</param>
/// <param name="Began">When the first of these operations began, in seconds since the begin of the load.</param>
/// <param name="Ended">When the next operation was answered.</param>
internal readonly record struct LoadGap(int Partition, double Began, double Ended)
{
    public double Seconds => Ended - Began;

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture, $"{Seconds:0.00} s in partition {Partition}, {Began:0.00} to {Ended:0.00}");
}
