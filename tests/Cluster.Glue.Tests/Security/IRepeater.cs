namespace Cluster.Glue.Tests.Security;

/// <summary>Fails with a text of its caller.</summary>
public interface IRepeater
{
    [OneWay]
    Task RepeatAsync(string text);
}

/// <summary>Fails with a text of its caller.</summary>
public sealed class Repeater : IRepeater
{
    public Task RepeatAsync(string text) =>
        throw new InvalidOperationException("outer", new ArgumentException(text));
}
