namespace Cluster.ConventionTests.PublicApi;

/// <summary>A type whose surface a test knows by heart; nobody else uses it.</summary>
/// <typeparam name="T">Anything.</typeparam>
public abstract class SampleSurface<T> : IDisposable
    where T : class
{
    public const int CountMax = 3;

    private readonly int _count;

    protected SampleSurface(string name, string? alias = null)
    {
        Name = alias ?? name;
        _count = CountMax;
    }

    public event EventHandler? Changed;

    public enum Shade : byte
    {
        Dark = 1,
        Light = 2,
    }

    public string Name { get; protected set; }

    internal int Hidden => _count;

    protected static TItem Make<TItem>(params TItem[] items)
        where TItem : class => items[0];

    public virtual List<string?> Find(in int key, out T? value)
    {
        value = null;
        Changed?.Invoke(this, EventArgs.Empty);
        return [key > 0 ? Name : null];
    }

    public void Dispose() => GC.SuppressFinalize(this);
}
