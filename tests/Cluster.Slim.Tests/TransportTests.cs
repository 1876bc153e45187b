using Cluster.Slim.Messages;
using Cluster.Slim.Tests.Matrix;

namespace Cluster.Slim.Tests;

/// <summary>Every way in and out carries the same bytes, on every segmentation, in every profile, on many
/// threads.</summary>
public sealed class TransportTests
{
    private readonly SlimSerializer _slim = new();

    [Fact]
    public void EveryWriterAndSegmentation_CarriesMessagesOverTheVisibleBytes()
    {
        Plain[] many = [.. Enumerable.Range(0, 3_000).Select(i => new Plain { Name = "a name of some length " + i })];
        Assert.True(_slim.Serialize(many).Length > SlimWriter.VisibleBytesMax);
        RoundTripMatrix.Check(many, back => Assert.Equal(many.Select(p => p.Name), back.Select(p => p.Name)));
    }

    [Theory]
    [InlineData(SlimProfile.Trusted, SlimSchema.Full)]
    [InlineData(SlimProfile.Trusted, SlimSchema.Known)]
    [InlineData(SlimProfile.InProcess, SlimSchema.Full)]
    [InlineData(SlimProfile.Contract, SlimSchema.Known)]
    public void EveryProfileAndSchema_CarriesTheCorpus(SlimProfile profile, SlimSchema schema)
    {
        SlimSerializer slim = new(new SlimOptions { Profile = profile, Schema = schema });
        var back = slim.DeepClone(Security.Corpus.Graph());
        Assert.Same(back, back.Self);
        Assert.Same(back.Items, back.Again);
        Assert.Equal("a", back.Keyed[new Security.Corpus.Key("a", 1)].Text);
        Assert.Equal("arg", back.Failure!.InnerException!.Message[..3]);
        Assert.Equal(typeof(int), back.Kind);
        Assert.Equal(slim.Serialize(Security.Corpus.Graph()), slim.Serialize(back));
    }

    [Fact]
    public void InProcess_CarriesAnyType_ByNumber()
    {
        SlimSerializer slim = new(new SlimOptions { Profile = SlimProfile.InProcess });
        var message = slim.Serialize<object>(new Stranger { Number = 5 });
        Assert.True(message.Length < 12);
        Assert.Equal(5, ((Stranger)slim.Deserialize<object>(message)).Number);
        Assert.Throws<SlimMalformedException>(
            () => new SlimSerializer(new SlimOptions { Profile = SlimProfile.InProcess }).Deserialize<object>(message));
    }

    [Fact]
    [Trait("Case", "slim-K")]
    public void ManyThreads_OnOneSerializer_RaceOnFirstUse()
    {
        for (var round = 0; round < 50; round++)
        {
            var profile = round % 2 == 0 ? SlimProfile.InProcess : SlimProfile.Contract;
            SlimSerializer slim = new(new SlimOptions { Profile = profile });
            using Barrier barrier = new(4);
            var errors = new Exception?[4];
            Thread[] threads = [.. Enumerable.Range(0, 4).Select(i => new Thread(() =>
            {
                barrier.SignalAndWait();
                errors[i] = Record.Exception(() =>
                {
                    var back = slim.DeepClone(Security.Corpus.Graph());
                    Assert.Same(back, back.Self);
                });
            }))];
            Array.ForEach(threads, t => t.Start());
            Array.ForEach(threads, t => t.Join());
            Assert.All(errors, Assert.Null);
        }
    }

    [Fact]
    public void WarmSerialize_AllocatesNothing()
    {
        Plain plain = new() { Name = "some name", Numbers = [1, 2, 3], Next = new Plain() };
        ArrayBufferWriter<byte> output = new(4096);
        for (var i = 0; i < 200; i++)
        {
            output.ResetWrittenCount();
            _slim.Serialize(output, plain);
        }

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 100; i++)
        {
            output.ResetWrittenCount();
            _slim.Serialize(output, plain);
        }

        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Fact]
    public void BigMessage_DoesNotBlowUpLaterOnes_AndHoldsNoReferences()
    {
        var reference = WriteBig();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Assert.False(reference.IsAlive);
    }

    [Fact]
    public void LayoutFingerprint_IsEqualForEqualLayouts_OnlyThen()
    {
        var plain = Slim.Hosting.SlimLayouts.FingerprintOf(_slim, typeof(Plain));
        Assert.Equal(plain, Slim.Hosting.SlimLayouts.FingerprintOf(new SlimSerializer(), typeof(Plain)));
        Assert.NotEqual(plain, Slim.Hosting.SlimLayouts.FingerprintOf(_slim, typeof(Stranger)));
    }

    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private WeakReference WriteBig()
    {
        Plain[] many = [.. Enumerable.Range(0, 20_000).Select(i => new Plain { Name = "n" })];
        _slim.Serialize(many);
        return new WeakReference(many[19_999]);
    }

    private sealed class Stranger
    {
        public int Number;
    }

    private sealed class Plain
    {
        public string? Name;
        public int[]? Numbers;
        public Plain? Next;
    }
}
