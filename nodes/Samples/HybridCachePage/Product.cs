namespace HybridCachePage;

/// <summary>A value of the cache.</summary>
/// <param name="Id">Its number.</param>
/// <param name="Name">Its name.</param>
/// <param name="MadeBy">The node whose warehouse was asked.</param>
/// <param name="Question">Which question to that warehouse it was.</param>
public sealed record Product(int Id, string Name, string MadeBy, int Question);
