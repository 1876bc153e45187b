using Cluster.Testing;

namespace Cluster.Glue.Tests.Semantics;

/// <summary>
/// Every place where a producer may fail, for producers that look at their token and for those that do not, for
/// consumers that take nothing, one item or all, on either side and through both.
/// </summary>
[Trait("Case", "glue-42")]
[Trait("Case", "glue-27")]
public abstract class StreamMatrixTests(SemanticBinding binding) : SemanticTests(binding)
{
    private const int Items = 8;

    private static readonly TimeSpan Bound = TimeSpan.FromMinutes(1);

    public static TheoryData<ProducerFault, bool, int> Plans
    {
        get
        {
            var plans = new TheoryData<ProducerFault, bool, int>();
            foreach (ProducerFault fault in Enum.GetValues<ProducerFault>())
            {
                foreach (int take in (int[])[0, 1, int.MaxValue])
                {
                    plans.Add(fault, true, take);
                    plans.Add(fault, false, take);
                }
            }

            return plans;
        }
    }

    [Theory]
    [MemberData(nameof(Plans))]
    public async Task ResultStream_DoesAsItsProducer(ProducerFault fault, bool isGood, int take)
    {
        IStreamMatrix matrix = Proxy<IStreamMatrix>();
        var plan = new ProducerPlan(CountFor(take), fault, isGood);
        var taken = new List<int>();
        Exception? failure = await Record.ExceptionAsync(
            () => StreamMatrix.TakeAsync(matrix.GiveAsync(plan), take, taken));
        Check(fault, take, taken, failure);
        if (take > 0 && fault != ProducerFault.BeforeTheStream)
            await Eventually.TrueAsync(() => Seen.Notes.Contains("closed"), Bound);
        await CheckAliveAsync(matrix);
    }

    [Theory]
    [MemberData(nameof(Plans))]
    public async Task ArgumentStream_DoesAsItsProducer(ProducerFault fault, bool isGood, int take)
    {
        // A producer that fails before there is a stream fails before there is a call.
        if (fault == ProducerFault.BeforeTheStream)
            return;
        IStreamMatrix matrix = Proxy<IStreamMatrix>();
        var closed = new TaskCompletionSource();
        int[] taken = [];
        Exception? failure = await Record.ExceptionAsync(async () => taken = await matrix.TakeAsync(
            StreamMatrix.Produce(new ProducerPlan(CountFor(take), fault, isGood), () => closed.TrySetResult()), take));
        // Of a method that failed there are no items.
        if (failure is null)
            Check(fault, take, taken, failure);
        else
            CheckFailure(fault, take, failure);
        if (take > 0)
            await closed.Task.WaitAsync(Bound);
        await CheckAliveAsync(matrix);
    }

    [Theory]
    [MemberData(nameof(Plans))]
    public async Task StreamThroughBoth_DoesAsItsProducer(ProducerFault fault, bool isGood, int take)
    {
        if (fault == ProducerFault.BeforeTheStream)
            return;
        IStreamMatrix matrix = Proxy<IStreamMatrix>();
        var closed = new TaskCompletionSource();
        var taken = new List<int>();
        Exception? failure = await Record.ExceptionAsync(() => StreamMatrix.TakeAsync(
            matrix.PassAsync(
                StreamMatrix.Produce(new ProducerPlan(CountFor(take), fault, isGood), () => closed.TrySetResult())),
            take,
            taken));
        Check(fault, take, taken, failure);
        if (take > 0)
            await closed.Task.WaitAsync(Bound);
        await CheckAliveAsync(matrix);
    }

    // Who leaves early leaves a producer that has more than the window.
    private static int CountFor(int take) => take == int.MaxValue ? Items : 100_000;

    private static async Task CheckAliveAsync(IStreamMatrix matrix)
    {
        var plan = new ProducerPlan(Items, ProducerFault.None, IsGood: true);
        int[] taken = await matrix.TakeAsync(StreamMatrix.Produce(plan, static () => { }), 1);
        Assert.Equal([0], taken);
    }

    private static void Check(ProducerFault fault, int take, IEnumerable<int> taken, Exception? failure)
    {
        int made = fault switch
        {
            ProducerFault.BeforeTheStream or ProducerFault.BeforeYield => 0,
            ProducerFault.AfterYield => StreamMatrix.FailsAt,
            _ => Items,
        };
        Assert.Equal(Enumerable.Range(0, Math.Min(take, made)), taken);
        CheckFailure(fault, take, failure);
    }

    private static void CheckFailure(ProducerFault fault, int take, Exception? failure)
    {
        bool isMet = take > 0 && fault switch
        {
            ProducerFault.None => false,
            ProducerFault.BeforeTheStream or ProducerFault.BeforeYield => true,
            _ => take == int.MaxValue,
        };
        if (isMet)
            Assert.Equal("the producer failed", Assert.IsType<InvalidOperationException>(failure).Message);
        else
            Assert.Null(failure);
    }
}
