using Cluster.Slim.Messages;
using Xunit.Sdk;

namespace Cluster.Slim.Tests.Matrix;

/// <summary>The kit itself: what is good passes, and each promise it checks can be seen broken.</summary>
public sealed class RoundTripMatrixTests
{
    [Fact]
    [Trait("Case", "slim-N")]
    [Trait("Case", "experience-M5")]
    public void Corpus_OfEveryFamily_PassesEveryCell()
    {
        var checks = 0;
        RoundTripMatrix.Check(Security.Corpus.Graph(), back =>
        {
            checks++;
            Assert.Equal("a", back.Keyed[new Security.Corpus.Key("a", 1)].Text);
            Assert.Same(back.Items, back.Again);
        });
        Assert.True(checks > 90, $"only {checks} copies were checked");
    }

    [Fact]
    [Trait("Case", "slim-D")]
    [Trait("Case", "slim-B")]
    public void Null_PassesEveryCell()
    {
        RoundTripMatrix.CheckEqual<string?>(null, "");
        RoundTripMatrix.CheckEqual<int?>(null, 5);
        RoundTripMatrix.CheckEqual<object?>(null, 7);
    }

    [Fact]
    public void WrongCopy_IsReported_WithItsCell()
    {
        var error = Assert.ThrowsAny<XunitException>(
            () => RoundTripMatrix.Check(1, static back => Assert.Equal(2, back)));
        Assert.StartsWith("[Full, span] ", error.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void BytesThatChange_FromWriterToWriter_AreReported() => CheckReported(
        "[Full, array] ", static options => options.AddCodec(new RestlessCodec()));

    [Fact]
    public void HandlesThatTheReaderDoesNotCount_AreReported() => CheckReported(
        "[Full, roots", static options => options.AddCodec(new UncountedCodec()));

    private static void CheckReported(string cell, Action<SlimOptions> configure)
    {
        var error = Assert.ThrowsAny<XunitException>(
            () => RoundTripMatrix.Check(new Part(), static _ => { }, configure));
        Assert.StartsWith(cell, error.Message, StringComparison.Ordinal);
    }

    private sealed class Part;

    /// <summary>Writes other bytes every time.</summary>
    private sealed class RestlessCodec : SlimCodec<Part>
    {
        private int _count;

        public override void Write(SlimWriter writer, Part value) => writer.Write(_count++);

        public override Part Create(SlimReader reader)
        {
            reader.Read<int>();
            return new Part();
        }
    }

    /// <summary>Writes an object, which takes a handle, and reads its two bytes past the handle table.</summary>
    private sealed class UncountedCodec : SlimCodec<Part>
    {
        public override void Write(SlimWriter writer, Part value) => writer.Write<object>(new object());

        public override Part Create(SlimReader reader)
        {
            reader.ReadBytes(new byte[2]);
            return new Part();
        }
    }
}
