using Cluster.StateStore.Protocol.Basics;
using Cluster.StateStore.Protocol.Storage;

namespace Cluster.StateStore.Tests.Protocol.Storage;

public sealed class RequestTableTests
{
    private static readonly Guid Client = new(1, 2, 3, new byte[8]);

    private readonly RequestTable _table = new();

    [Fact]
    public void Find_KnowsWhatWasAnswered_AndForgetsBelowTheLowWaterMark()
    {
        _table.Remember(new RequestId(Client, 5, 1), "five"u8, time: 10);
        Assert.Equal(RequestVerdict.Answered, _table.Find(new RequestId(Client, 5, 1), out var answer));
        Assert.Equal("five"u8.ToArray(), answer.ToArray());
        Assert.Equal(RequestVerdict.New, _table.Find(new RequestId(Client, 6, 1), out _));
        _table.Remember(new RequestId(Client, 7, 6), "seven"u8, time: 11);
        Assert.Equal(RequestVerdict.Forgotten, _table.Find(new RequestId(Client, 5, 1), out _));
        Assert.Equal(RequestVerdict.New, _table.Find(new RequestId(Guid.Empty, 5, 1), out _));
    }

    [Fact]
    public void Remember_OneRequestStaysOpenForLong_IsStillNewAndTheOldestAnswersGo()
    {
        const int Open = 1;
        for (var sequence = Open + 1; sequence <= (2 * ClientAnswers.AnswersMax) + 1; sequence++)
            _table.Remember(new RequestId(Client, sequence, Open), "answer"u8, time: 0);
        Assert.Equal(RequestVerdict.New, _table.Find(new RequestId(Client, Open, Open), out _));
        Assert.Equal(RequestVerdict.Forgotten, Find(ClientAnswers.AnswersMax + 1));
        Assert.Equal(RequestVerdict.Answered, Find(ClientAnswers.AnswersMax + 2));
        var copy = new RequestTable();
        foreach (var image in _table.ToImages())
            copy.Load(image);
        Assert.Equal(RequestVerdict.New, copy.Find(new RequestId(Client, Open, Open), out _));
        Assert.Equal(RequestVerdict.Forgotten, copy.Find(new RequestId(Client, Open + 1, Open), out _));
        _table.Remember(new RequestId(Client, Open, Open), "late"u8, time: 0);
        Assert.Equal(RequestVerdict.Answered, Find(Open));

        RequestVerdict Find(long sequence) => _table.Find(new RequestId(Client, sequence, Open), out _);
    }

    [Fact]
    public void Remember_MoreThanTheMost_ForgetsTheOldest()
    {
        for (var sequence = 1; sequence <= ClientAnswers.RequestsMax + 1; sequence++)
            _table.Remember(new RequestId(Client, sequence, 0), "a"u8, time: 0);
        Assert.Equal(RequestVerdict.Forgotten, _table.Find(new RequestId(Client, 0, 0), out _));
        Assert.Equal(RequestVerdict.New, _table.Find(new RequestId(Client, ClientAnswers.RequestsMax + 2, 0), out _));
    }

    [Fact]
    public void Load_OfACopy_AddsAnswersAndMarks_AndKeepsNewerOnes()
    {
        var source = new RequestTable();
        source.Remember(new RequestId(Client, 3, 2), "old"u8, time: 10);
        _table.Remember(new RequestId(Client, 4, 1), "new"u8, time: 20);
        foreach (var image in source.ToImages())
            _table.Load(image);
        Assert.Equal(RequestVerdict.Answered, _table.Find(new RequestId(Client, 3, 1), out _));
        Assert.Equal(RequestVerdict.Answered, _table.Find(new RequestId(Client, 4, 1), out _));
        Assert.Equal(RequestVerdict.Forgotten, _table.Find(new RequestId(Client, 1, 1), out _));
    }

    [Fact]
    public void ForgetIdle_RemovesClientsThatHaveNotWritten()
    {
        _table.Remember(new RequestId(Client, 1, 1), default, time: 10);
        _table.ForgetIdle(before: 10);
        Assert.Equal(1, _table.ClientCount);
        _table.ForgetIdle(before: 11);
        Assert.Equal(0, _table.ClientCount);
    }
}
