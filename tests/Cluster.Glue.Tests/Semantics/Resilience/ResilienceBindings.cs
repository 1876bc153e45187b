namespace Cluster.Glue.Tests.Semantics.Resilience;

public sealed class RetriesOverLinkTests() : RetrySemanticTests(SemanticBinding.Link(), SemanticBinding.Link());

public sealed class RetriesOverUnaryTests() : RetrySemanticTests(SemanticBinding.Unary(), SemanticBinding.Unary());

public sealed class RetriesInProcessTests()
    : RetrySemanticTests(SemanticBinding.InProcess(), SemanticBinding.InProcess());

public sealed class HedgingOverLinkTests() : HedgingSemanticTests(SemanticBinding.Link(), SemanticBinding.Link());

public sealed class HedgingOverUnaryTests() : HedgingSemanticTests(SemanticBinding.Unary(), SemanticBinding.Unary());

public sealed class HedgingInProcessTests()
    : HedgingSemanticTests(SemanticBinding.InProcess(), SemanticBinding.InProcess());

public sealed class BreakersOverLinkTests() : BreakerSemanticTests(SemanticBinding.Link(), SemanticBinding.Link());

public sealed class BreakersInProcessTests()
    : BreakerSemanticTests(SemanticBinding.InProcess(), SemanticBinding.InProcess());

public sealed class BulkheadsOverLinkTests() : BulkheadSemanticTests(SemanticBinding.Link(), SemanticBinding.Link());

public sealed class BulkheadsInProcessTests()
    : BulkheadSemanticTests(SemanticBinding.InProcess(), SemanticBinding.InProcess());
