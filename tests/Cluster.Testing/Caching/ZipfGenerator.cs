namespace Cluster.Testing.Caching;

/// <summary>Draws ranks by Zipf's law: the probability of rank r is proportional to (r + 1) to the power of the
/// negative exponent. The same seed gives the same ranks. Not thread-safe.</summary>
/// <remarks>Rejection-inversion after Hörmann and Derflinger: exact, of constant time, and without a table, so that ten
/// million ranks cost nothing to set up.</remarks>
public sealed class ZipfGenerator
{
    // Below this value, series replace (exp(x) - 1) / x and log(1 + x) / x, which would lose precision.
    private const double SeriesBelow = 1e-8;

    private readonly Random _random;
    private readonly long _count;
    private readonly double _exponent;
    private readonly double _areaOfFirst;
    private readonly double _areaOfAll;
    private readonly double _shortcut;

    /// <summary>Makes a generator.</summary>
    /// <param name="seed">The same seed gives the same ranks.</param>
    /// <param name="count">The number of ranks.</param>
    /// <param name="exponent">Above zero. The larger it is, the more often low ranks are drawn.</param>
    public ZipfGenerator(int seed, long count, double exponent)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(exponent);
        _random = new Random(seed);
        _count = count;
        _exponent = exponent;
        _areaOfFirst = Area(1.5) - 1;
        _areaOfAll = Area(count + 0.5);
        _shortcut = 2 - InverseArea(Area(2.5) - Density(2));
    }

    /// <summary>Returns the next rank. Rank zero is drawn most often.</summary>
    public long Next()
    {
        while (true)
        {
            var area = _areaOfAll + (_random.NextDouble() * (_areaOfFirst - _areaOfAll));
            var x = InverseArea(area);
            var number = Math.Clamp((long)Math.Round(x), 1, _count);
            if (number - x <= _shortcut || area >= Area(number + 0.5) - Density(number))
                return number - 1;
        }
    }

    private double Density(double x) => Math.Exp(-_exponent * Math.Log(x));

    private double Area(double x)
    {
        var log = Math.Log(x);
        var power = (1 - _exponent) * log;
        return log * (Math.Abs(power) > SeriesBelow ? (Math.Exp(power) - 1) / power : 1 + (power / 2));
    }

    private double InverseArea(double area)
    {
        var power = Math.Max(-1, area * (1 - _exponent));
        return Math.Exp(area * (Math.Abs(power) > SeriesBelow ? Math.Log(1 + power) / power : 1 - (power / 2)));
    }
}
