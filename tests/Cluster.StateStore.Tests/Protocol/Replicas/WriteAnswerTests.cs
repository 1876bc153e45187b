using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Replicas;

namespace Cluster.StateStore.Tests.Protocol.Replicas;

public sealed class WriteAnswerTests
{
    [Fact]
    public void Encode_Answer_ComesBack()
    {
        var answer = new WriteAnswer(WriteOutcome.Done)
        {
            Flag = true,
            Version = EntryId.Of(3, 7),
            Result = "ok"u8.ToArray(),
        };
        Assert.Equal("01" + "0700000000030000" + "6F6B", Convert.ToHexString(answer.Encode()));
        var read = WriteAnswer.Decode(answer.Encode());
        Assert.Equal((answer.Outcome, answer.Flag, answer.Version), (read.Outcome, read.Flag, read.Version));
        Assert.Equal("ok"u8.ToArray(), read.Result.ToArray());
    }

    [Fact]
    public void Decode_TooShort_IsRefused() =>
        Assert.Throws<StateFormatException>(() => WriteAnswer.Decode(new byte[8]));
}
