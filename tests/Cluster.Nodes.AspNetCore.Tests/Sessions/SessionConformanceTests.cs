using Microsoft.AspNetCore.Http;

namespace Cluster.Nodes.AspNetCore.Tests.Sessions;

/// <summary>What <c>ISession</c> does. The same tests run over the stock session and over that of the
/// cluster.</summary>
public abstract class SessionConformanceTests
{
    private static readonly TimeSpan LongTimeout = TimeSpan.FromMinutes(1);

    /// <summary>Runs before each call of the store. It may fail, or wait for the token of the call.</summary>
    protected Func<CancellationToken, Task>? BeforeCall { get; set; }

    private protected abstract ISession Create(string key, TimeSpan ioTimeout, Func<bool> tryEstablish, bool isNew);

    [Fact]
    public async Task NewSession_NothingSet_IsAvailableAndEmpty()
    {
        var session = OpenNew(out _);
        await session.LoadAsync();
        Assert.True(session.IsAvailable);
        Assert.Empty(session.Keys);
        Assert.False(session.TryGetValue("a", out _));
        Assert.True(Guid.TryParse(session.Id, out _));
    }

    [Fact]
    public async Task Set_AfterCommit_NextRequestReadsIt()
    {
        var session = OpenNew(out var key);
        session.SetString("name", "Ada");
        session.SetInt32("count", 7);
        await session.CommitAsync();
        var next = Open(key);
        await next.LoadAsync();
        Assert.Equal(("Ada", (int?)7), (next.GetString("name"), next.GetInt32("count")));
        Assert.Equal(["count", "name"], next.Keys.Order());
        Assert.Equal(session.Id, next.Id);
    }

    [Fact]
    public async Task Read_WithoutLoadAsync_LoadsBySelf()
    {
        var session = OpenNew(out var key);
        session.SetString("name", "Ada");
        await session.CommitAsync();
        Assert.Equal("Ada", Open(key).GetString("name"));
    }

    [Fact]
    public async Task Set_WithoutCommit_IsNotSaved()
    {
        var session = OpenNew(out var key);
        session.SetString("name", "Ada");
        var next = Open(key);
        await next.LoadAsync();
        Assert.Empty(next.Keys);
        Assert.True(next.IsAvailable);
    }

    [Fact]
    public async Task Set_ValueChangedAfterwards_SavesWhatWasSet()
    {
        var session = OpenNew(out var key);
        byte[] value = [1, 2, 3];
        session.Set("bytes", value);
        value[0] = 9;
        await session.CommitAsync();
        Assert.Equal([1, 2, 3], Open(key).Get("bytes")!);
    }

    [Fact]
    public async Task Set_EmptyValueAndOddKeys_AreKept()
    {
        var session = OpenNew(out var key);
        string[] keys = ["", " ", "Ä", "\ud83d\ude00", "a\nb", new('k', 1_000)];
        foreach (var name in keys)
            session.Set(name, []);
        await session.CommitAsync();
        Assert.Equal(keys.Order(StringComparer.Ordinal), Open(key).Keys.Order(StringComparer.Ordinal));
        Assert.Equal([], Open(key).Get("Ä")!);
    }

    [Fact]
    public async Task Keys_DifferInCase_AreTwo()
    {
        var session = OpenNew(out var key);
        session.SetInt32("a", 1);
        session.SetInt32("A", 2);
        await session.CommitAsync();
        Assert.Equal((1, 2), (Open(key).GetInt32("a"), Open(key).GetInt32("A")));
    }

    [Fact]
    public async Task Remove_OneOfTwo_LeavesTheOther()
    {
        var session = OpenNew(out var key);
        session.SetInt32("a", 1);
        session.SetInt32("b", 2);
        await session.CommitAsync();
        var next = Open(key);
        next.Remove("a");
        next.Remove("absent");
        await next.CommitAsync();
        Assert.Equal(["b"], Open(key).Keys);
    }

    [Fact]
    public async Task Clear_ThenSet_LeavesTheNewValueAndTheId()
    {
        var session = OpenNew(out var key);
        session.SetInt32("a", 1);
        await session.CommitAsync();
        var next = Open(key);
        next.Clear();
        next.SetInt32("b", 2);
        await next.CommitAsync();
        Assert.Equal(["b"], Open(key).Keys);
        Assert.Equal(session.Id, Open(key).Id);
    }

    [Fact]
    public async Task Clear_OfAll_KeepsTheId()
    {
        var session = OpenNew(out var key);
        session.SetInt32("a", 1);
        await session.CommitAsync();
        var next = Open(key);
        next.Clear();
        await next.CommitAsync();
        Assert.Empty(Open(key).Keys);
        Assert.Equal(session.Id, Open(key).Id);
    }

    [Fact]
    public async Task CommitTwice_WithChangesBetween_SavesAll()
    {
        var session = OpenNew(out var key);
        session.SetInt32("a", 1);
        await session.CommitAsync();
        session.SetInt32("b", 2);
        session.Remove("a");
        await session.CommitAsync();
        await session.CommitAsync();
        Assert.Equal(["b"], Open(key).Keys);
    }

    [Fact]
    public async Task Id_OfSessionThatWasNeverSaved_IsNewEachTime()
    {
        var session = OpenNew(out var key);
        var first = session.Id;
        Assert.Equal(first, session.Id);
        await session.CommitAsync();
        Assert.NotEqual(first, Open(key).Id);
    }

    [Fact]
    public async Task ForeignKey_IsAnEmptyAvailableSession()
    {
        var session = OpenNew(out _);
        session.SetInt32("a", 1);
        await session.CommitAsync();
        var foreign = Open(Guid.NewGuid().ToString());
        await foreign.LoadAsync();
        Assert.True(foreign.IsAvailable);
        Assert.Empty(foreign.Keys);
        foreign.SetInt32("b", 2);
        await foreign.CommitAsync();
        Assert.NotEqual(session.Id, foreign.Id);
    }

    [Fact]
    public void Set_ResponseHasBegun_IsRefused()
    {
        var session = Create(Guid.NewGuid().ToString(), LongTimeout, () => false, isNew: true);
        Assert.Throws<InvalidOperationException>(() => session.SetInt32("a", 1));
        Assert.Empty(session.Keys);
    }

    [Fact]
    public void Set_NullValueOrKey_IsRefused()
    {
        var session = OpenNew(out _);
        Assert.Throws<ArgumentNullException>(() => session.Set("a", null!));
        Assert.Throws<ArgumentNullException>(() => session.Set(null!, []));
    }

    [Fact]
    public void Set_KeyOf65536Characters_IsRefused()
    {
        var session = OpenNew(out _);
        var key = new string('k', 65_536);
        Assert.Equal("key", Assert.Throws<ArgumentOutOfRangeException>(() => session.Set(key, [])).ParamName);
    }

    [Fact]
    public void Create_WithoutKey_IsRefused() =>
        Assert.ThrowsAny<ArgumentException>(() => Create("", LongTimeout, () => true, isNew: true));

    [Fact]
    public async Task Load_StoreFails_Throws()
    {
        var session = Open(Guid.NewGuid().ToString());
        BeforeCall = _ => throw new TimeoutException("The store is not there.");
        await Assert.ThrowsAsync<TimeoutException>(() => session.LoadAsync());
    }

    [Fact]
    public void Read_StoreFails_SessionIsNotAvailable()
    {
        var session = Open(Guid.NewGuid().ToString());
        BeforeCall = _ => throw new TimeoutException("The store is not there.");
        Assert.False(session.TryGetValue("a", out _));
        session.SetInt32("a", 1);
        session.Remove("a");
        session.Clear();
        Assert.False(session.IsAvailable);
        Assert.Equal("", session.Id);
        Assert.Empty(session.Keys);
        Assert.False(session.TryGetValue("a", out _));
    }

    [Fact]
    public async Task Commit_StoreFails_ThrowsAndSavesLater()
    {
        var session = OpenNew(out var key);
        session.SetInt32("a", 1);
        BeforeCall = _ => throw new TimeoutException("The store is not there.");
        await Assert.ThrowsAsync<TimeoutException>(() => session.CommitAsync());
        BeforeCall = null;
        await session.CommitAsync();
        Assert.Equal(["a"], Open(key).Keys);
    }

    [Fact]
    public async Task Load_StoreHangs_TimesOut()
    {
        var session = Create(Guid.NewGuid().ToString(), TimeSpan.FromMilliseconds(50), () => true, isNew: false);
        BeforeCall = HangAsync;
        var failure = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => session.LoadAsync());
        Assert.Equal("Timed out loading the session.", failure.Message);
    }

    [Fact]
    public async Task Commit_StoreHangs_TimesOut()
    {
        var session = Create(Guid.NewGuid().ToString(), TimeSpan.FromMilliseconds(50), () => true, isNew: true);
        session.SetInt32("a", 1);
        BeforeCall = HangAsync;
        var failure = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => session.CommitAsync());
        Assert.Equal("Timed out committing the session.", failure.Message);
    }

    [Fact]
    public async Task LoadAndCommit_CallerCancels_TellTheToken()
    {
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();
        var session = OpenNew(out var key);
        session.SetInt32("a", 1);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => session.CommitAsync(cancelled.Token));
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => Open(key).LoadAsync(cancelled.Token));
    }

    [Fact]
    public async Task Commit_UnreadSession_KeepsItsContent()
    {
        var session = OpenNew(out var key);
        session.Set("a", Encoding.UTF8.GetBytes("Ada"));
        await session.CommitAsync();
        await Open(key).CommitAsync();
        Assert.Equal("Ada", Open(key).GetString("a"));
    }

    private static Task HangAsync(CancellationToken cancellationToken) =>
        Task.Delay(Timeout.InfiniteTimeSpan, TimeProvider.System, cancellationToken);

    private ISession OpenNew(out string key)
    {
        key = Guid.NewGuid().ToString();
        return Create(key, LongTimeout, () => true, isNew: true);
    }

    private ISession Open(string key) => Create(key, LongTimeout, () => true, isNew: false);
}
