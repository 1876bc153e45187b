using Cluster.StateStore.Hosting;

namespace Cluster.StateStore.Tests.Hosting;

public sealed class RequestNumbersTests
{
    private readonly RequestNumbers _numbers = new();

    [Fact]
    public void IdOf_EarlierNumbersStillOpen_NamesTheFirstOfThemAsTheLowWaterMark()
    {
        var (first, second, third) = (_numbers.Begin(), _numbers.Begin(), _numbers.Begin());
        Assert.Equal((1L, 2L, 3L), (first, second, third));
        Assert.Equal(1, _numbers.IdOf(third).LowWater);
        _numbers.End(second);
        Assert.Equal(1, _numbers.IdOf(third).LowWater);
        _numbers.End(first);
        Assert.Equal((3L, 3L), (_numbers.IdOf(third).Sequence, _numbers.IdOf(third).LowWater));
        Assert.Equal(_numbers.IdOf(third).Client, _numbers.IdOf(_numbers.Begin()).Client);
        Assert.NotEqual(_numbers.IdOf(1).Client, new RequestNumbers().IdOf(1).Client);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void IdOf_ManyOpenNumbersThatEndInAnyOrder_NeverPassesAnOpenOne(int seed)
    {
        var random = new Random(seed);
        var open = new List<long>();
        for (var round = 0; round < 20_000; round++)
        {
            if (open.Count == 0 || random.Next(100) < 51)
                open.Add(_numbers.Begin());
            else
            {
                var index = random.Next(Math.Min(open.Count, 200));
                _numbers.End(open[index]);
                open.RemoveAt(index);
            }

            if (open.Count > 0)
                Assert.Equal(open[0], _numbers.IdOf(open[0]).LowWater);
        }
    }

    [Fact]
    public async Task Begin_ManyThreads_GivesEachNumberOnce()
    {
        var taken = new ConcurrentBag<long>();
        await Parallel.ForAsync(0, 10_000, (_, _) =>
        {
            var number = _numbers.Begin();
            taken.Add(number);
            _numbers.End(number);
            return ValueTask.CompletedTask;
        });
        Assert.Equal(10_000, taken.Distinct().Count());
        Assert.Equal(10_001, _numbers.IdOf(_numbers.Begin()).LowWater);
    }
}
