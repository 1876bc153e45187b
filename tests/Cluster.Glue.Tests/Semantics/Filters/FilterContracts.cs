namespace Cluster.Glue.Tests.Semantics.Filters;

public interface IFiltered
{
    void Touch(string text);

    int Add(int left, int right);

    Task PutAsync(string text);

    Task<int> AddAsync(int left, int right, CancellationToken cancellationToken = default);

    ValueTask PutQuicklyAsync(string text);

    ValueTask<string?> EchoAsync(string? text);

    [OneWay]
    Task TellAsync(string text);

    [OneWay]
    void Mention(string text);

    Task<T> SameAsync<T>(T value);

    Task<string?> HeaderAsync(string name);

    Task FailAsync(string text);

    Task<Guid> ScopeAsync();

    Task WaitAsync(CancellationToken cancellationToken);

    IAsyncEnumerable<int> CountAsync(int last);

    Task<int> SumAsync(IAsyncEnumerable<int> numbers);
}

public interface IFilteredSession
{
    [Constructor]
    Task<GlueInstance> OpenAsync(int start);

    Task<int> AddAsync(int number);

    [Destructor]
    Task CloseAsync();
}
